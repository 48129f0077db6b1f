"""Closed classes of English words that decide what can be an entity, and of which kind.

Only function-like vocabulary is listed: nouns that carry no topic of their own, titles, the head
words by which institutions, places and laws name themselves. What a corpus is about is decided by
its statistics (the graph stage), never here.
"""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


ABBREVIATED = word_set("inc. ltd. corp. co. jr. sr. st. bros. etc.")
"""Last words of a name that keep their full stop."""

MARKUP = frozenset("<>{}|=\\_#@~^")
"""Characters of markup and code that no name has."""

HONORIFICS = word_set(
    """
    mr mr. mrs mrs. cllr cllr. ms ms. miss dr dr. prof prof. professor sir dame lord lady madam capt
    capt. captain col col. colonel gen gen. general lt lt. lieutenant sgt sgt. sergeant maj maj.
    major commander admiral rev rev. reverend father sister brother judge justice chief president
    vice-president senator sen. sen representative rep. rep congressman congresswoman governor gov.
    gov mayor deputy councillor councilor alderman chairman chairwoman chair secretary minister
    prime chancellor ambassador inspector detective officer king queen prince princess emperor pope
    hon hon. ceo cto cfo coo cmo director executive vice managing founder co-founder cofounder
    treasurer solicitor author coach doctor uncle aunt comrade herr frau monsieur madame señor
    señora
    """
)
"""Words before a person's name that are not part of it."""

TITLES = word_set(
    """
    mr mr. mrs mrs. cllr cllr. ms ms. miss dr dr. prof prof. professor sir dame lord lady capt capt.
    captain col col. colonel gen gen. lt lt. lieutenant sgt sgt. sergeant senator sen. congressman
    congresswoman governor gov. mayor councillor councilor alderman herr frau monsieur madame
    """
)
"""The honorifics after which a name is certainly a person's."""

ROLES = word_set(
    """
    president senator governor mayor minister chancellor secretary chairman chairwoman chair
    director king queen prince pope judge inspector captain professor doctor ceo cto cfo coo cmo
    council committee board court auditor treasurer solicitor commissioner clerk congressman
    councillor ambassador founder co-founder officer operator tenant landlord speaker
    """
)
"""Capitalised or not, these are concepts when they stand alone."""

ORGANISATION_HEADS = word_set(
    """
    inc inc. ltd ltd. plc corp corp. corporation company co co. llc llp gmbh ag group holdings
    partners ventures capital associates authority agency council committee board commission bureau
    department ministry office administration inspectorate trust fund foundation institute
    institution university college school academy laboratory laboratories labs lab association
    society union federation confederation league club party bank court senate parliament congress
    assembly church hospital museum library press studio studios pictures entertainment records
    airlines airways motors systems technologies industries services solutions consulting lines line
    team army navy police guard corps treasury tribunal cabinet consortium alliance coalition
    network times post journal courier gazette herald tribune ledger lamp geotechnical marine
    traders
    """
)
PLACE_HEADS = word_set(
    """
    street road avenue lane row square park bridge river lake sea ocean bay gulf strait harbour
    harbor port dock docks quay quayside pier berth wharf basin spit island islands isle valley
    mountain mountains mount hill hills desert forest beach coast county city town village province
    state states kingdom republic territory district region peninsula canal station airport works
    mill yard tower hall house building gate plaza campus block site ground plot
    """
)
EVENT_HEADS = word_set(
    """
    war wars battle conference summit festival olympics games cup championship championships bowl
    election elections inquiry hearing revolution rebellion crisis convention expedition exhibition
    expo prize
    """
)
LAW_HEADS = word_set(
    """
    act acts bill law laws treaty amendment constitution code directive regulation regulations
    clause condition section article order statute ordinance charter convention protocol rule title
    schedule deed
    """
)
WORK_HEADS = word_set("report podcast magazine book novel song album film movie show")

_LAW_LABELS = word_set(
    "clause condition section article paragraph regulation rule schedule order amendment title "
    "proposition directive"
)
_PLACE_LABELS = word_set(
    "quay block plot pier berth gate dock lot zone route terminal highway platform building hangar "
    "sector district"
)
NUMBERED = {
    **dict.fromkeys(sorted(_LAW_LABELS), "law"),
    **dict.fromkeys(sorted(_PLACE_LABELS), "place"),
    "local": "organisation",
}
"""Words that make a name together with a number or code, and its kind ("clause 14.3")."""

NOT_NUMBERED = word_set(
    """
    page chapter figure table slide day week month year no no. number step part item version episode
    season question quarter volume age grade level round line note appendix exhibit fy q january
    february march april may june july august september october november december jan feb mar apr
    jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday about
    around
    """
)

CONCEPT_ACRONYMS = word_set(
    """
    AI ML AGI API APIs GPU GPUs CPU CPUs VR AR XR NLP IoT IT UI UX OS PC PCs TV DNA RNA HR PR URL
    HTML SQL HTTP CEO CTO CFO COO CMO PhD MBA GDP GAAP EPS R&D B2B SaaS PaaS LLM LLMs IPO IPOs CS
    STEM ROI KPI KPIs 3D 2D 5G 4G QA SDK ASIC FPGA RAM SSD USB GPS EV EVs CO2
    """
)

CALENDAR = word_set(
    """
    january february march april may june july august september october november december jan feb
    mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday
    sunday mon tue wed thu fri sat sun christmas easter thanksgiving today tomorrow yesterday spring
    summer autumn winter ad bc am pm a.m. p.m. q1 q2 q3 q4 h1 h2
    """
)

NEVER_NAMES = word_set(
    """
    awesome yeah yes yep no nope ok okay oh wow hey hi hello thanks thank sure right well great cool
    nice good amazing absolutely exactly totally fantastic wonderful excellent perfect interesting
    laughter applause music crosstalk inaudible please sorry congratulations welcome god jesus boy
    man gosh dude guys folks ah aha uh um hmm mm mhm ha haha lol bye goodbye cheers dear regards
    sincerely dad mom mum mama papa mother father grandma grandpa sir madam ladies gentlemen fellow
    citizens everybody everyone anybody nobody somebody someone me myself you yourself i'm i've i'd
    i'll i he she it we they this that these those here there where when why what who whom whose
    which how let let's got gonna wanna gotta kinda sorta cuz because so and but or nor yet also
    plus maybe perhaps actually basically honestly literally obviously definitely certainly indeed
    however therefore moreover furthermore meanwhile finally firstly first second third next last
    one two three four five six seven eight nine ten once twice another other others such some any
    all both each every many much more most several few little less least own same too very just
    only even still again then now ago never ever always often sometimes usually re fw fwd cc bcc
    subject attachment draft note notes chapter figure table page section part appendix question
    answer q a mr mrs ms dr prof st etc ie eg vs per via re: inc ltd co plc corp love true false end
    behind above under underneath after before between beyond within without inside outside over
    through during about across against along among around beneath beside besides despite except
    near onto off since toward towards until upon with from into like
    """
)
"""Words that are no name by themselves, however they are written."""

EMPTY_NOUNS = word_set(
    """
    thing things something anything nothing everything stuff way ways lot lots bit bits kind kinds
    sort sorts type types time times year years day days week weeks month months hour hours minute
    minutes second seconds moment moments decade decades century centuries morning afternoon evening
    night tonight today tomorrow yesterday people person persons guy guys man men woman women folk
    folks kid kids boy boys girl girls somebody someone anybody anyone everybody everyone nobody
    number numbers couple bunch handful dozen dozens hundred hundreds thousand thousands million
    millions billion billions trillion percent per cent amount amounts piece pieces part parts
    portion rest half quarter quarters third majority series set sets group groups list lists
    example examples instance case cases point points fact facts matter reason reasons sense idea
    ideas thought thoughts question questions answer answers word words term terms name names place
    places end ends beginning start side sides top bottom middle front back left right edge line
    lines area areas level levels step steps stage stages spot hand hands eye eyes head face foot
    feet arm arms body mind heart life lives world worlds home house room door table chair thanks
    thank pleasure honor fun luck hope wish joy love hate fear doubt yes yeah no okay ok hey hello
    hi oh wow sir madam gentleman gentlemen lady ladies mom dad mother father brother sister son
    daughter wife husband friend friends guest guests host self one ones other others another
    others' whole nature aspect aspects form forms manner means basis scope extent degree range
    variety array aim purpose purposes role roles respect regard regards account effect effects
    result results consequence consequences outcome outcomes cause causes change changes difference
    differences similarity opportunity opportunities possibility possibilities chance chances
    ability capability capacity situation situations circumstance circumstances condition conditions
    event events issue issues problem problems trouble challenge challenges approach approaches
    method methods attempt attempts effort efforts try use uses usage user users need needs want
    wants interest interests view views opinion opinions perspective perspectives conversation
    conversations talk talks story stories topic topics subject subjects show episode podcast
    sentence paragraph page pages chapter section thing's job jobs work works task tasks activity
    activities action actions move moves turn turns go process processes project projects plan plans
    program programs thinking feeling feelings impact influence importance quality size sizes shape
    color length height width depth weight speed rate rates age ages minute's detail details
    information bit's item items object objects element elements component components feature
    features property properties characteristic characteristics kind's look looks feel glance sight
    sound voice tone start-up's question's everyone's addition order course background field fields
    space spaces environment context contexts position positions direction directions path paths
    road street journey trip step's relation relationship relationships connection connections link
    links contact contacts team teams member members individual individuals structure structures
    version versions release support help care attention focus concern concerns decision decisions
    choice choices option options selection preference stress error errors successes win loss losses
    gain gains benefit benefits advantage advantages disadvantage cost costs dollar dollars cents
    pound pounds euro euros crown crowns fee fees bill bills statement statements comment comments
    remark remarks note notes letter letters message messages email emails e-mail e-mails mail call
    calls meeting meetings session sessions report reports paper papers document documents file
    files record records copy copies version's date dates deadline period periods phase phases cycle
    cycles past present future history era age's town towns state states place's ground world's sun
    sky hell heaven god mile miles metre metres meter meters kilometre kilometres kilometer
    kilometers inch inches ton tons tonne tonnes kilo hour's increase increases decrease decline
    rise fall drop progress improvement improvements advance advances development developments
    additions reality proof sign signs signal mark marks figure figures total average sum maximum
    minimum mean median minority share shares percentage proportion ratio respect's behalf favor
    favour sake lack absence presence existence occurrence appearance exception rule rules norm
    norms test tests check checks study studies review reviews class classes courses degrees lesson
    lessons practices habit habits public audience crowd folks' parent child children baby babies
    couple's neighbor neighbors member's colleague colleagues boss client clients vendor peer peers
    expert experts sort's remainder bulk variety's plenty deal deals touch taste piece's shot shots
    trick tricks hack excitement enthusiasm surprise shock sense's desire goal goals objective
    objectives target targets priority priorities tactic tactics initiative initiatives agenda
    proposal proposals suggestion suggestions recommendation recommendations request requests
    requirement requirements response responses reaction reactions reply replies mention reference
    references source sources base bases center centre core centerpiece foundation foundations
    ground's root roots origin origins key keys lead leads pattern patterns wave waves shift shifts
    transition boundary boundaries limit limits limitation limitations barrier barriers gap gaps
    hole holes balance mix combination collection assortment spectrum scale scales dimension
    dimensions layer layers unit units block blocks pile stack row rows column columns box boxes bag
    wall walls corner corners desk image images song songs play plays lunch dinner breakfast drink
    weekend weekends holiday vacation summer winter spring autumn notion notions laugh laughs while
    potential charge scratch understanding character timeframe interview interviews access awareness
    disposal verge brink whim heck damn crap shit ass butt fan bet guess chunk chunks slice variant
    pair pairs trio hosts reader readers listener listeners speaker speakers viewer viewers outset
    onset midst wake light lights fellow spite accord pace vein realm gonna mode mood fashion style
    styles flavor breed caliber calibre ilk applause laughter mine yours hers ours theirs yourself
    myself himself herself itself themselves ourselves being beings doing going coming saying making
    taking getting having something's meaning setting settings hearing finding findings book books
    system systems company companies firm firms model models machine machines human humans tool
    tools business businesses product products service services device devices application
    applications phone phones car cars picture pictures photo photos organization organizations
    institution institutions leader leaders employee employees experience experiences value values
    principle principles standard standards solution solutions trend trends failure failures success
    mistake mistakes career careers tech platform platforms practice skill skills dream dreams
    memory belief strength country countries nation nations city cities building buildings feedback
    mission vision discussion video videos growth learning partner partners competitor pressure
    windows window survey passion curiosity generation generations author authors office offices
    board boards orders
    """
)
"""Nouns that are no concept by themselves; as heads of longer phrases most of them may stand."""

NAMED_NOUNS = word_set("windows office teams surface word")
"""Empty nouns that are well-known names when capitalised."""

EMPTY_HEADS = word_set(
    """
    thing things stuff way ways lot lots bit bits kind kinds sort sorts type types time times year
    years day days week weeks month months hour hours minute minutes second seconds moment moments
    decade decades century centuries morning afternoon evening night tonight people person persons
    guy guys man men woman women folk folks kid kids boy boys girl girls number numbers couple bunch
    handful dozen dozens hundred hundreds thousand thousands million millions billion billions
    trillion percent amount amounts piece pieces part parts rest half third majority set sets
    example examples instance case cases point points fact facts matter reason reasons sense idea
    ideas thought thoughts question questions answer answers word words end ends side sides place
    places bottom top middle aspect aspects form manner extent degree one ones other others
    opportunity opportunities possibility issue issues problem problems challenge challenges effect
    effects result results difference differences situation situations circumstance circumstances
    attempt attempts effort efforts conversation conversations story stories job fun thanks luck
    pleasure deal chance chances step steps mile miles metre metres meter meters foot feet inch
    inches dollar dollars crown crowns pound pounds euro euros view stage level levels range variety
    array series purpose purposes regard respect shot look feeling feelings fellow fellows remark
    remarks comment comments guest guests friend friends mind eye eyes hand hands head heart life
    world today yesterday tomorrow sake behalf basis area areas field perspective scenario scenarios
    order orders ton tons pair notion notions cent cents
    """
)
"""Nouns under which even a longer phrase is no concept ("right kind", "next few years")."""

FIXED_HEADS = word_set("order orders life point mind heart head sake")
"""Empty nouns that may stand in a fixed expression with "of"."""

EMPTY_ADJECTIVES = word_set(
    """
    able actual additional afraid alone amazing ancient annual apparent appropriate available
    average aware awesome awful bad basic beautiful best better big bigger biggest brand brief
    bright brilliant broad busy careful certain cheap clear clever close closer comfortable complete
    concerned confident consistent constant cool correct crazy crucial curious current daily dear
    decent different difficult double due eager early earlier easy easier enormous enough entire
    equal essential every everyday evident exact excellent exciting excited existing expensive extra
    extraordinary extreme familiar famous fancy fantastic far favorite favourite few final fine
    first following former free-standing fresh full fun fundamental funny further future given glad
    good grand great greater greatest half happy hard harder heavy higher highest honest huge ideal
    immediate important impossible incredible initial innovative inside instant intense interested
    interesting key kind large larger largest last late later latest least less likely little long
    longer loud lower lucky main major many massive maximum mean mere middle minimum minor monthly
    more most much multiple narrow near necessary new newer newest next nice normal notable numerous
    obvious odd offensive ok okay old older oldest only open-ended opposite ordinary original other
    outside overall own particular past perfect pleased plenty poor popular possible potential
    powerful precise present pretty previous primary prior proper proud pure quick quiet rapid ready
    real really reasonable recent regular relative relevant remarkable respective responsible rich
    right robust rough round sad safe same second separate serious several severe sheer short
    shorter sick significant silent similar simple simpler single slight slow small smaller smallest
    smart so-called sorry special specific strange strong stronger stuck stupid subsequent
    substantial successful sudden sufficient suitable super sure surprising tall terrible terrific
    third thorough tight tiny tired top total tough traditional tremendous true trillion typical
    ultimate unable underlying unique unlikely unusual upcoming upper useful usual valuable various
    vast very warm weak weekly weird well whatever white-hot whole wide wild willing wonderful
    worried worse worst worth wrong yearly young younger youngest yesterday today such fellow said
    aforesaid whole-hearted fourth fifth sixth two-time long-standing ongoing quarterly
    """
)

PARTICLES = word_set("de del della der den di du da dos das van von la le bin ibn al el")
"""Small words inside names of persons and places."""

OF_HEADS = word_set(
    """
    university department ministry house bank board office institute school secretary declaration
    bill church court council college academy museum society association bureau director duke bishop
    city county state states republic kingdom isle gulf bay cape port tower king queen battle treaty
    treaties articles rights center centre faculty commission library army director-general
    federation
    """
)
"""Words after which "of" and a name belong to the same name."""

POSSESSED_HEADS = (
    ORGANISATION_HEADS
    | PLACE_HEADS
    | LAW_HEADS
    | word_set("theorem theory disease paradox razor guide law day cup life")
)
"""Words before which a possessive is part of the name ("Moore's Law", "Caulker's Row")."""

GERUNDS = word_set(
    """
    learning computing processing programming engineering manufacturing gaming marketing funding
    housing training testing planning financing banking mining farming operating voting driving
    printing imaging sequencing hosting networking streaming shipping trading advertising publishing
    editing modeling modelling recycling drilling dredging logging lending pricing accounting
    purchasing consulting recruiting hiring coding debugging rendering reasoning mooring building
    parking fishing hunting whaling
    """
)
"""Words in -ing that are nouns after a noun, or that modify one."""
