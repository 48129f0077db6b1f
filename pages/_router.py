"""The site map: page settings, styles, sidebar, then the page. The main script of every visit."""

from __future__ import annotations

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._held import draw_read_only
from pages._progress import sidebar_job
from pages._words import count, distinct, plain_label, shorten
from sensemaking.errors import SensemakingError
from sensemaking.types import AnswerSnapshot, JobSnapshot

POLL_SECONDS = 2.0
ICONS = {
    "corpora": "stacks",
    "documents": "description",
    "graph": "hub",
    "communities": "account_tree",
    "topics": "category",
    "ask": "forum",
    "compare": "compare_arrows",
    "evaluate": "leaderboard",
    "settings": "tune",
}
TOP = "top"
"""A link to the page one is on leaves the address as it is (Streamlit 1.67); taking this mark away
again makes the browser write it anew."""
ALWAYS = ("corpora", "settings")
"""Pages that need no corpus."""
GROUPS = {
    "Read": ("documents", "graph", "communities", "topics"),
    "Ask": ("ask", "compare", "evaluate"),
}


def make_pages() -> dict[str, st.Page]:
    return {
        name: st.Page(
            f"{name}.py",
            title=name.title(),
            icon=f":material/{icon}:",
            default=name == "corpora",
        )
        for name, icon in ICONS.items()
    }


def render_link(name: str, pages: dict[str, st.Page], *, here: str) -> None:
    corpus = session.corpus_or_none()
    at_home = name in ALWAYS
    address = {"corpus": corpus.name} if corpus and not at_home else {}
    if name == here:
        address[TOP] = "1"
    with st.container(key="nav_on" if name == here else f"nav_{name}", gap=None):
        st.page_link(
            pages[name],
            label="All corpora" if name == "corpora" and here != name else None,
            disabled=corpus is None and not at_home,
            query_params=address,
            width="stretch",
        )


def change_corpus() -> None:
    session.clear_params(keep=())
    session.set_params(corpus=session.kept("corpus_choice", None))


def render_corpus_choice() -> None:
    titles = distinct({row.name: row.title for row in session.workspace().corpora()})
    corpus = session.corpus_or_none()
    if not titles:
        return
    chosen = corpus.name if corpus is not None and corpus.name in titles else None
    session.keep("corpus_choice", chosen)
    st.selectbox(
        "Corpus",
        list(titles),
        format_func=lambda name: titles.get(name, name),
        key="corpus_choice",
        placeholder="Choose a corpus",
        label_visibility="collapsed",
        on_change=change_corpus,
    )


def running_job(here: str) -> tuple[str, JobSnapshot] | None:
    """Return the build that runs now and is not on the page anyway."""
    shown = session.corpus_or_none()
    for row in session.workspace().corpora():
        if row.state != "building" or (here == "documents" and shown and shown.name == row.name):
            continue
        job = session.workspace().open_corpus(row.name).job()
        if job is not None and job.is_running:
            return row.title, job
    return None


def running_answer(here: str) -> AnswerSnapshot | None:
    """Return the answer that this visitor waits for, where it is not on the page anyway."""
    name, key = session.kept("running_answer", ("", ""))
    if not key or (here == "ask" and session.param("answer") == key):
        return None
    try:
        found = session.workspace().open_corpus(name).answer(key)
    except SensemakingError:
        session.drop("running_answer")
        return None
    return found if found.is_running else None


def draw_running_answer(one: AnswerSnapshot, pages: dict[str, st.Page]) -> None:
    read = sum(sub.status not in ("waiting", "reading") for sub in one.sub_answers)
    st.page_link(
        pages["ask"],
        label=plain_label(shorten(one.question, 44)),
        icon=":material/forum:",
        query_params={"corpus": one.corpus, "answer": one.id},
    )
    look.text(f"Answering: {read} of {count(len(one.sub_answers), 'window')} read", "s")


def render_job(here: str, pages: dict[str, st.Page]) -> None:
    found, asked = running_job(here), running_answer(here)

    @st.fragment(run_every=POLL_SECONDS if found or asked else None)
    def follow() -> None:
        with look.guard("side_failure"):
            now, answer = running_job(here), running_answer(here)
            if now is not None:
                sidebar_job(*now)
            if answer is not None:
                draw_running_answer(answer, pages)
            if (now is None) != (found is None) or (answer is None) != (asked is None):
                st.rerun()

    # A polled fragment alone in a container: elements after it vanish otherwise (Streamlit 1.67).
    with st.container(key="side_job"):
        follow()


def render_sidebar(here: str, pages: dict[str, st.Page]) -> None:
    with st.container(key="side_corpus", gap="xsmall"):
        if here == "corpora":
            render_link("corpora", pages, here=here)
        else:
            render_corpus_choice()
    for group, names in GROUPS.items():
        with st.container(key=f"side_{group.lower()}", gap=None):
            look.draw(f'<p class="sm-l sm-group">{group}</p>')
            for name in names:
                render_link(name, pages, here=here)
    with st.container(key="side_end", gap=None):
        for name in ALWAYS:
            if name != here or name != "corpora":
                render_link(name, pages, here=here)
    render_job(here, pages)


def render_ways_out(here: str, pages: dict[str, st.Page]) -> None:
    """Draw where one can go from a page that could not be shown."""
    corpus = session.corpus_or_none()
    ways = {"corpora": "All corpora"}
    if corpus is not None and here not in ALWAYS:
        ways = {here: f"{here.title()} of {corpus.title}", **ways}
    with st.container(horizontal=True, gap="small", key="row_ways_out"):
        for name, label in ways.items():
            address = {"corpus": corpus.name, TOP: "1"} if corpus and name == here else {}
            st.page_link(
                pages[name],
                label=plain_label(label),
                icon=f":material/{ICONS[name]}:",
                query_params=address,
            )


st.set_page_config(
    page_title="Sensemaking",
    page_icon=str(look.STATIC / "mark.svg"),
    layout="wide",
    initial_sidebar_state=232,
)
st.logo(
    str(look.ASSETS / f"logo-{look.mode()}.svg"),
    icon_image=str(look.STATIC / "mark.svg"),
    size="medium",
)
site = make_pages()
page = st.navigation(list(site.values()), position="hidden")
session.follow()
if session.param(TOP):
    session.set_params(top=None)
st.set_page_config(page_title=f"{page.title} · Sensemaking")
look.stylesheet()
with st.sidebar, look.guard("sidebar_failure"):
    render_sidebar(page.title.lower(), site)
with st.container(key="page"):
    refusal = session.take_refusal()
    if refusal:
        look.failure(refusal, "refusal")
    title = page.title.lower()
    with look.guard("page_failure", ways_out=lambda: render_ways_out(title, site)):
        draw_read_only(session.corpus() if title not in ALWAYS else None)
        page.run()
