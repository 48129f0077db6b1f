"""Words that analysts ask with, and the words in which documents answer.

Each family is one idea. A question that uses a word of a family also looks for the others, at a
lower weight. Written by us from the questions analysts ask of interviews, minutes, filings and
reports; no word list was copied. Words are matched by English stem; an underscore joins a phrase.
"""

from __future__ import annotations

from functools import cache

from sensemaking.text.words import content_words

_FAMILIES = """
challenge problem difficulty difficult struggle barrier obstacle hurdle hard bottleneck tough
risk danger threat hazard concern worry uncertainty exposure liability threaten unsafe
failure fail failed mistake wrong error flaw defect fault breakdown
success succeed successful achieve achievement accomplish triumph
opportunity potential promise possibility untapped open_up
delay late slip slipped postpone overrun behind_schedule deadline overdue setback
cost price pay paid expense budget million billion bill charge fee money expensive spend
funding fund invest investment investor venture capital finance grant raise startup seed round pitch
profit revenue earnings margin return income sales
cause reason because origin source due owing explain
responsible responsibility liable liability blame duty accountable owe
dispute disagree conflict contest deny contradict controversy controversial argue
objection object objector oppose opposition protest complain complaint resist appeal against
reduce reduction fall fell cut drop decline decrease lower shrink fewer
growth grow increase rise rose expand expansion scale gain higher
change shift transform transformation evolve evolution replace renegotiate reform revise amend
trend future predict prediction forecast decade emerging next_generation horizon come outlook
unresolved pending undecided outstanding unsettled unclear remain await dispute gap
decision decide approve approval vote confirm reject quash adopt refuse defer ruling grant
know knew aware informed told disclose disclosure reveal withhold withheld conceal notify notice
evidence finding survey investigation study test measure
contamination contaminate pollution pollute toxic poison waste hazardous soil
protect protection guarantee insure secure cover safeguard shield indemnity
depend dependent conditional require rely hinge prerequisite
stake lose loss threaten survive jeopardy
agreement contract deed deal clause term lease treaty settlement
advice advise recommend recommendation suggest suggestion lesson tip guidance counsel
impact effect affect consequence outcome influence implication
benefit advantage improve improvement help better enable empower
harm damage negative hurt misuse abuse destroy inequality
ethics ethical moral responsible fairness fair bias trust trustworthy accountability integrity
privacy private surveillance consent personal_data confidential tracking data
security secure breach attack hacker cyber encryption vulnerability
transparency transparent openness disclose explainable honest
collaboration collaborate partner partnership together cooperate alliance joint team
competition compete competitor rival market_share
leadership lead leader manage management manager ceo founder executive
culture value environment norm mindset behaviour team
motivate motivation inspire inspiration passion drive love excite curious curiosity dream
mentor mentorship advisor teacher coach guide role_model inspire
education educational educate school student teach teacher classroom university college learn
career job profession path degree graduate hire join role
childhood formative grow_up grew_up kid parent father mother early family
innovation innovate innovative invent creative creativity breakthrough novel idea experiment
research researcher science scientist laboratory lab paper experiment phd
diversity diverse inclusion inclusive women gender minority underrepresented equity
sustainability sustainable climate energy carbon environment environmental renewable emission planet
health healthcare medical medicine patient doctor hospital disease clinical drug
regulation regulate regulator law policy legislation government rule compliance legal congress
government public federal state ministry minister council authority
society social societal community democracy civic humanity public
employment employ worker labour labor staff workforce wage redundancy jobs
access divide inequality affordable rural poor digital_divide broadband underserved
adoption adopt customer consumer user uptake mainstream deploy rollout
acquisition acquire merger merge buy bought takeover
strategy plan approach roadmap priority framework methodology method
optimistic hope hopeful excited optimism promising
pessimistic caution cautious worried fear afraid concern skeptical
book read author novel write wrote
artificial_intelligence ai machine_learning deep_learning neural_network algorithm model
virtual_reality vr augmented_reality ar mixed_reality headset hololens
internet_of_things iot sensor device connected edge
cloud azure aws datacenter data_center server
startup entrepreneur entrepreneurship founder found company venture
home house housing flat dwelling apartment tenant occupy
election elect mayor vote campaign president candidate
flood surge barrier storm sea tide tidal
"""


@cache
def _families() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return, for each stemmed entry, the families (stemmed) it belongs to."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in _FAMILIES.strip().splitlines():
        family = tuple(dict.fromkeys(_stems(entry) for entry in line.split()))
        for entry in family:
            found.setdefault(entry, []).append(family)
    return {entry: tuple(families) for entry, families in found.items()}


def _stems(entry: str) -> str:
    phrase = entry.replace("_", " ")
    return " ".join(content_words(phrase)) or phrase


def related(stems: str) -> tuple[str, ...]:
    """Return the stemmed words and phrases that stand for the same idea, without the word itself.

    >>> "barrier" in related("challeng")
    True
    """
    found: dict[str, None] = {}
    for family in _families().get(stems, ()):
        found.update(dict.fromkeys(family))
    found.pop(stems, None)
    return tuple(found)
