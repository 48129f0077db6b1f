"""Closed word classes that decide whether a full stop or a line break ends a sentence.

Each constant is lower-case words separated by white space. Titles, months and units are English
with the commonest forms of its neighbours; a language that is missing here loses nothing but a few
cuts after its own abbreviations.
"""

NEVER_LAST = """
mr mrs ms mx dr prof messrs mmes mses st ste mt ft gen sen rep gov lt col capt cmdr sgt cpl maj brig
adm rev hon pres supt det insp dir mgr vs v cf viz eg ie e.g i.e fig figs eq eqs sec secs ch chap
vol vols ed eds pp para art approx ca resp al dept univ assn bros no nos nr abs z.b d.h u.a sog vgl
evtl ggf bd hr fr sr sra dra mme mlle ing dhr mevr dott sig m
"""
"""Abbreviations that stand before what they belong to: "Dr. Smith", "No. 5"."""

SELDOM_LAST = """
inc ltd co corp llc plc gmbh ag jr sr esq etc jan feb mar apr jun jul aug sept sep oct nov dec mon
tue tues wed thu thur thurs fri sat sun ave blvd rd est a.m p.m am pm u.s u.k u.n e.u d.c ph.d b.a
m.a b.sc m.sc bd min max int ext misc lb lbs oz ft hrs usw bzw
"""
"""Abbreviations that may end a sentence: it ends there when an opener follows."""

OPENERS = """
the a an this that these those it its it's he she they we i i'm i've we've we're you in on at for
from with by but and or so yet if when while where what who why how as after before although because
since then there here however moreover meanwhile according under over during until his her their our
my your no not all some many most both each such one two three another more even still now today
yesterday is are was were do does did can could will would should may let also nor once only yes
well oh thanks thank please
"""
"""Words that often begin an English sentence and are lower case inside one."""

UNFINISHED = """
the a an and or of in to for with by from on at as that which who whose is are was were be has have
had not their its our his her your my into than
"""
"""Words that do not end a line which was meant to end."""
