"""What is known of topics once they are found: one list, the user's edits, how they cover a corpus.

Pure functions over records; finding topics and making their graphs is in `pipeline.topics`.
"""

from sensemaking.topics.coverage import document_trend, overlap_matrix
from sensemaking.topics.edits import apply_edits, idle_edits
from sensemaking.topics.filtering import filter_graph
from sensemaking.topics.membership import assign_chunks
from sensemaking.topics.naming import NO_TOPIC, fold_name, make_topic, unite
from sensemaking.topics.similar import group_similar
from sensemaking.topics.statistics import compare_graphs

__all__ = [
    "NO_TOPIC",
    "apply_edits",
    "assign_chunks",
    "compare_graphs",
    "document_trend",
    "filter_graph",
    "fold_name",
    "group_similar",
    "idle_edits",
    "make_topic",
    "overlap_matrix",
    "unite",
]
