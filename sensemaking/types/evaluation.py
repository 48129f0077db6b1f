"""What is asked of several methods, how their answers compare, and how sure that is.

Scores of a pair are 0-100 for the first of two conditions: 100 won, 50 a tie, 0 lost. Shares are
0-1, None where there is nothing to take a share of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sensemaking.types.answers import Usage

AlignmentKind = Literal["agree", "first only", "second only", "conflict"]
Scoring = Literal["mean", "majority"]


CHANCE = 0.05
"""A corrected p-value above which a difference is not told from chance."""
LEAST_DIFFERENCES = 10
"""Questions on which two conditions differ, below which no test is believed."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a set. `gold` holds (document name without suffix, gain) pairs.

    `origin` says where it comes from: (persona, task), or () where it was imported or written.
    """

    id: str
    text: str
    kind: str = ""
    answer: str = ""
    gold: tuple[tuple[str, float], ...] = ()
    origin: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions under a name, which is their `id`. `notes` say what was mended when it was read."""

    id: str
    questions: tuple[Question, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """One way to answer. `settings` are those that differ from the defaults, sorted by name."""

    label: str
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """Questions × conditions, and how they are judged. `id` is a digest of the rest.

    `pairs` are compared, by label; `criteria` by name. Each judge reads every pair in both orders,
    `replicates` times. `is_differential`: what both answers say is taken out first.
    """

    id: str
    name: str
    questions: tuple[Question, ...]
    conditions: tuple[Condition, ...]
    pairs: tuple[tuple[str, str], ...]
    criteria: tuple[str, ...]
    judges: tuple[str, ...]
    replicates: int = 1
    scoring: Scoring = "mean"
    is_differential: bool = False
    seed: int = 86


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """What an answer can show for itself; `unsupported` are the sentences that cannot.

    Facts are the numbers and names of the sentences; they are found when the passages that their
    sentence cites hold them, or when they name who speaks there.
    """

    n_sentences: int = 0
    n_supported: int = 0
    n_weak: int = 0
    n_citations: int = 0
    n_resolved: int = 0
    n_facts: int = 0
    n_facts_found: int = 0
    unsupported: tuple[str, ...] = ()

    def __add__(self, other: Faithfulness) -> Faithfulness:
        return Faithfulness(
            self.n_sentences + other.n_sentences,
            self.n_supported + other.n_supported,
            self.n_weak + other.n_weak,
            self.n_citations + other.n_citations,
            self.n_resolved + other.n_resolved,
            self.n_facts + other.n_facts,
            self.n_facts_found + other.n_facts_found,
            (*self.unsupported, *other.unsupported),
        )

    @property
    def supported(self) -> float | None:
        """Share of sentences that are supported."""
        return _share(self.n_supported, self.n_sentences)

    @property
    def resolved(self) -> float | None:
        """Share of citations that lead to characters of a document."""
        return _share(self.n_resolved, self.n_citations)

    @property
    def facts_found(self) -> float | None:
        """Share of numbers and names that the cited passages hold."""
        return _share(self.n_facts_found, self.n_facts)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class EvaluatedAnswer:
    """What a condition says to a question, or why it says nothing (`status` failed).

    `text` is what judges read: headings and sentences, no citation numbers, no notes. `claims` is
    None when they could not be told apart. `clusters` are (threshold, number of clusters of claims)
    pairs. `id` = digest(question, condition).
    """

    id: str
    question_id: str
    condition: str
    answer_id: str
    status: Literal["done", "failed"]
    reason: str = ""
    text: str = ""
    claims: tuple[str, ...] | None = None
    clusters: tuple[tuple[float, int], ...] = ()
    n_words: int = 0
    n_documents: int = 0
    n_tokens: int = 0
    seconds: float = 0.0
    usage: Usage = Usage()
    faithfulness: Faithfulness = Faithfulness()


@dataclass(frozen=True, slots=True)
class Judgement:
    """One verdict on two texts in one order. `id` covers judge, question, criterion and texts.

    `winner` is 1 or 2 in that order, 0 for a tie.
    """

    id: str
    winner: Literal[0, 1, 2]
    reason: str
    is_parsed: bool = True


@dataclass(frozen=True, slots=True)
class AlignedClaim:
    """A claim of the first answer, of the second, or of both; positions are -1 where it is missing.

    `similarity` 0-1; `reason` says what a conflict is about.
    """

    kind: AlignmentKind
    first: int
    second: int
    similarity: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SignedRank:
    """A two-sided Wilcoxon signed-rank test of paired scores.

    `effect` is the matched-pairs rank-biserial correlation, -1 to 1, positive for the first.
    """

    n: int
    n_nonzero: int
    w_plus: float
    w_minus: float
    z: float
    p: float
    effect: float

    @property
    def statistic(self) -> float:
        """The smaller rank sum."""
        return min(self.w_plus, self.w_minus)


@dataclass(frozen=True, slots=True)
class PairScore:
    """What all judges together say of one question, one criterion and two conditions.

    `score` and `winner` are None when no verdict could be used. `n_used` verdicts are in them, all
    others of `n_verdicts` are not: one that could not be read takes the other order with it.
    """

    question_id: str
    criterion: str
    first: str
    second: str
    score: float | None
    winner: Literal[0, 1, 2] | None
    n_verdicts: int
    n_used: int
    n_unparsed: int
    is_identical: bool = False
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two conditions on one criterion over all questions.

    `win_rate` (0-100, ties count half) is the mean score of the first; `interval` its bootstrap
    interval of 95 %. `p_holm` is corrected over all comparisons of the criterion. Questions that
    are not in `n` could not be compared.
    """

    criterion: str
    first: str
    second: str
    n: int
    n_missing: int
    n_unparsed: int
    wins: int
    ties: int
    losses: int
    win_rate: float | None
    interval: tuple[float, float] | None
    test: SignedRank
    p_holm: float

    @property
    def is_sure(self) -> bool:
        """Whether the difference is unlikely to be chance.

        After correction at most one in twenty, and from enough questions that differ for the normal
        approximation of the test to mean something.
        """
        return self.p_holm <= CHANCE and self.test.n_nonzero >= LEAST_DIFFERENCES


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """A condition over all questions; means are per answer, None when there is no answer."""

    label: str
    n_answers: int
    n_failed: int
    n_empty: int
    words: float | None
    claims: float | None
    clusters: tuple[tuple[float, float], ...]
    documents: float | None
    tokens: float | None
    seconds: float | None
    cost: float | None
    usage: Usage
    faithfulness: Faithfulness
    quality: float | None
    """Mean win rate against all others on all criteria but directness."""


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """How a judge judged. Shares are of decided verdicts (`n_decided`), ties left out.

    `n_missing` verdicts could not be had, or were not asked for yet.

    `first_share`: the answer shown first won. `longer_share`: the one with more words won
    (`n_unequal` of them differ in length). `consistency`: the same winner in both orders.
    """

    judge: str
    n_verdicts: int
    n_unparsed: int
    n_missing: int
    n_decided: int
    n_unequal: int
    first_share: float | None
    longer_share: float | None
    consistency: float | None


@dataclass(frozen=True, slots=True)
class ClaimAgreement:
    """How often the answer with more of a measure won, of `n` pairs where both are decided."""

    criterion: str
    measure: str
    n: int
    n_agree: int

    @property
    def share(self) -> float | None:
        """Share of pairs where measure and verdict agree."""
        return _share(self.n_agree, self.n)


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """Everything a batch came to; `id` is the batch's. `summary` says it in plain words."""

    id: str
    name: str
    n_questions: int
    criteria: tuple[str, ...]
    conditions: tuple[ConditionResult, ...]
    comparisons: tuple[Comparison, ...]
    judges: tuple[JudgeResult, ...]
    agreements: tuple[ClaimAgreement, ...]
    summary: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The conditions in their order."""
        return tuple(one.label for one in self.conditions)


@dataclass(frozen=True, slots=True)
class BatchEstimate:
    """What a batch still has to do, before it starts; `n_windows` are map calls, at most.

    `n_hierarchies` are to be made first; what their reports will be read in is not known.
    """

    n_answers: int
    n_answers_done: int
    n_judgements: int
    n_judgements_done: int
    n_windows: int
    n_tokens: int
    n_hierarchies: int = 0


@dataclass(frozen=True, slots=True)
class EvaluationReady:
    """The end of a batch."""

    result: EvaluationResult


@dataclass(frozen=True, slots=True)
class RetrievalRun:
    """Questions with gold, and the retrievers that are measured by them over `k` places.

    `id` is a digest of the rest and of what is searched.
    """

    id: str
    name: str
    questions: tuple[Question, ...]
    methods: tuple[str, ...]
    k: int


@dataclass(frozen=True, slots=True)
class RetrievalRow:
    """One question with gold, one retriever; measures 0-1, seconds for the search alone.

    `ranking` and `gold` are names of documents, the best first.
    """

    question_id: str
    method: str
    ranking: tuple[str, ...]
    gold: tuple[str, ...]
    recall: float
    ndcg: float
    seconds: float

    @property
    def id(self) -> str:
        """Its place among the rows of a run."""
        return f"{self.question_id}\n{self.method}"


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """One retriever over all questions with gold."""

    method: str
    k: int
    n_questions: int
    recall: float
    ndcg: float
    topological_recall: float | None
    seconds: float
