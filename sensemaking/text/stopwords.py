"""Function words of the languages this program meets most, typed here from grammar.

`STOP_WORDS` maps a language code to lower-case function words separated by white space. They are
left out of content words, and their share in a text tells its language (`text.language`).
"""

from __future__ import annotations

from functools import cache

STOP_WORDS = {
    "en": """a about above after again against all also am an and any are aren't as at be because
        been before being below between both but by can can't cannot could couldn't did didn't do
        does doesn't doing don't down during each either else etc even ever every few for from
        further had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers
        herself him himself his how how's however i i'd i'll i'm i've if in into is isn't it it's
        its itself just let let's like may me might more most much must my myself neither no nor
        not now of off on once only onto or other others ought our ours ourselves out over own per
        quite rather really same shall she she'd she'll she's should shouldn't since so some such
        than that that's the their theirs them themselves then there there's therefore these they
        they'd they'll they're they've this those though through thus to too toward towards under
        until unto up upon us very was wasn't we we'd we'll we're we've were weren't what what's
        when where where's whether which while who who's whom whose why will with within without
        won't would wouldn't yes yet you you'd you'll you're you've your yours yourself
        yourselves""",
    "de": """aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim
        bin bis bist da damit dann das dass daß dein deine dem den denn der des dessen die dies
        diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es
        etwas euch euer für gegen gewesen hab habe haben hat hatte hatten hier hinter ich ihm ihn
        ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden jeder jedes jetzt kann
        kein keine keinen können könnte machen man manche mein meine mich mir mit muss nach nicht
        nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so
        solche soll sollte sondern sonst über um und uns unser unter viel vom von vor war waren
        warst was weg weil weiter welche welcher wenn werde werden wie wieder will wir wird wirst
        wo wollen worden wurde wurden während zu zum zur zwar zwischen""",
    "fr": """à afin ai ainsi alors après as au aucun aussi autre autres aux avait avant avec avez
        avoir avons ayant bien c car ce ceci cela celle celles celui ces cet cette ceux chaque chez
        comme d dans de depuis des dont donc du elle elles en encore entre es est et étaient était
        été être eu eux fait fut il ils j je jusque l la le les leur leurs lors lui là m ma mais me
        même mes moi moins mon n ne ni nos notre nous on ont ou où par parce pas pendant peu peut
        plus pour pourquoi qu quand que quel quelle quelles quels qui s sa sans se selon ses si
        sinon soit son sont sous suis sur t ta tandis te tes toi ton tous tout toute toutes très tu
        un une vers voici voilà vos votre vous y""",
    "es": """a al algo algunas algunos ante antes aquel aquella así aún aunque bajo bien cada casi
        como cómo con contra cual cuando de del desde después donde dos durante e el él ella ellas
        ellos en entre era eran es esa esas ese eso esos esta está están estas este esto estos fue
        fueron ha había habían han hasta hay la las le les lo los más me mi mientras mis mucho muy
        nada ni no nos nosotros nuestra nuestro o otra otras otro otros para pero poco por porque
        pues que qué quien se según ser si sí sido sin sino sobre son su sus también tan tanto te
        tiene tienen toda todas todo todos tras tu tus un una unas uno unos usted y ya yo""",
    "it": """a ad agli ai al alla alle allo anche ancora avere aveva avevano c che chi ci come con
        contro così cui da dagli dai dal dalla dalle dallo degli dei del della delle dello dentro di
        dopo dove e è ed era erano essere fa fino fra fu furono gli ha hanno ho i il in io l la le
        lei li lo loro lui ma me mentre mi mia mio molto ne negli nei nel nella nelle nello no noi
        non nostra nostro o ogni oppure per perché però più poi prima qua quale quando quanto quella
        quelle quelli quello questa queste questi questo qui se sé sei senza si sia siamo siano sono
        sopra sotto sta stata stato su sua sue sugli sui sul sulla sulle suo suoi tra tu tutta tutte
        tutti tutto un una uno v vi voi""",
    "pt": """a à ainda além ante antes ao aos apenas após as às até cada com como contra contudo da
        das de dela dele deles depois desde dessa desse desta deste do dos durante e é ela elas ele
        eles em embora enquanto então entre era eram essa essas esse esses esta está estão estas
        este estes eu foi foram há isso isto já lhe lhes mais mas mesmo meu minha muito na não nas
        nem nenhum nessa nesse nesta neste no nos nós nossa nosso num numa o onde os ou outra outras
        outro outros para pela pelas pelo pelos per pois por porém porque qual quando que quem são
        se seja sem sempre ser seu seus si sob sobre sua suas também tão tem têm tinha toda todas
        todo todos um uma umas uns você vocês""",
    "nl": """aan af al alle alles als altijd andere ben bij daar dan dat de deze die dit doch doen
        door dus een eens en er ge geen geweest haar had hadden heb hebben heeft hem het hier hij
        hoe hun iemand iets ik in is ja je jij jullie kan kon kunnen maar me meer men met mij mijn
        moet moeten na naar niet niets nog nu of om omdat onder ons onze ook op over reeds sinds
        te tegen toch toen tot tussen u uit uw van veel voor waar waren want was wat we weer wel
        welke werd werden wezen wie wij wil worden wordt zal ze zeer zelf zich zij zijn zo
        zoals zonder zou zouden zullen""",
    "da": """ad af alle alt anden andet at begge blev blive bliver da de dem den denne der deres det
        dette dig din disse dit dog du efter ej eller en end er et for fra få før gennem god ham han
        hans har havde have hende hendes her hos hun hvad hvem hver hvilken hvis hvor hvordan
        hvorfor hvornår i igen ikke ind ingen intet jeg jer kan kom kun kunne lidt man mange med
        meget mellem men mere mig min mod må ned noget nogen nogle nok nu når og også om op os
        over på selv sig sin sine skal skulle som store så thi til ud uden under var ved vi vil
        ville vor være været""",
    "sv": """alla allt andra att av bara blev bli blir bland borde båda de dem den denna deras dess
        dessa det detta dig din du där då efter ej eller en er ett far fick finns flera från får
        före för genom ha hade han hans har henne hennes hon honom hos hur här i icke igen ingen
        innan inte jag kan kom kommer kunde man med medan mellan men mer mig min mot mycket måste
        nu något någon några när och också om oss på sedan sig sin sina sitt ska skall skulle som
        så till under upp ut utan vad var vara varit varje vem vi vid vilka vilken är även över""",
    "no": """alle andre at av bare ble bli blir da de dem den denne der deres det dette din disse
        du eller en enn er et etter for fordi fra før få gjennom ha hadde han hans har hennes her
        hos hun hva hvem hver hvilken hvis hvor hvordan hvorfor i igjen ikke ingen jeg kan kom kun
        kunne man mange med meg mellom men mer mot mye må ned noe noen nok nå når og også om opp
        oss over på seg selv sin sine skal skulle som så til ut uten under var ved vi vil ville
        være vært vår""",
    "fi": """ei eikä ennen että hän hänen hänet ja jo joka joita jos jossa jotka jälkeen kanssa kuin
        kuitenkin kun mikä minä minun mutta myös mukaan ne niin niiden niitä noin nyt oli olivat
        olla ollut on ovat pois se sekä sen siellä sillä siitä sinä sitä tai te tuo tämä tämän
        vaan vain vielä voi yli""",
    "pl": """a aby albo ale ani bez był była było były być co czy dla do gdy gdzie go i ich ile im
        innych ja jak jako je jednak jego jej jest jeszcze już każdy kiedy kto która które którego
        której który których którzy lub ma mi między mnie może na nad nie niż o od oraz po pod
        poza przed przez przy są się tak także tam te tego tej ten to tu tylko tym w we więc
        wszystko z za ze że""",
    "cs": """a aby ale ani až by být byl byla bylo byly co což do ho i jako je jeho její jejich jen
        ještě již jsem jsme jsou k kde kdo kdy když která které který kteří má mezi mnoho na nad
        nebo není než o od po pod podle pro proto před při s se si svou také tak to toho tom ty
        u už v ve však všechny z za ze že""",
    "ro": """a ai al ale am ar are asta astfel au ca că care ce cea cel cei cele cu cum când da dar
        de deci din după este eu fi fie fost fără iar în între la le lor lui mai mult nu o oameni
        ori pe pentru peste prin sa să sau se sub sunt său toate tot un una unei unor unui vor""",
    "tr": """ama ancak bana bazı ben beni bir biri biz bu çok çünkü da daha de değil diye dolayı en
        gibi hem her hiç için ile ise kadar ki kim mi mı mu mü nasıl ne neden o olan olarak oldu
        olduğu on ona onlar onu sonra şey şu tarafından ve veya ya yani yok""",
    "hu": """a az azt ami amely amelyek azonban be csak de e egy egyik el és ez ezt fel ha hogy
        hogyan igen is ki kell le lett lehet maga már meg még mert mint minden nagy nem nincs
        olyan ott össze pedig sem számára szerint ső talán után utolsó vagy van vannak volt
        voltak""",
    "vi": """bị bởi các cái cho có của cũng cùng đã đang đây để đến đó được hay khi không là lại lên
        mà mình một này nên nếu người những như nhưng nơi ra rằng rất sau sẽ tại theo thì trên
        trong từ và vào về vì với""",
    "id": """ada adalah agar akan antara atau bahwa banyak bisa dalam dan dapat dari dengan di hanya
        harus hingga ia ini itu jika juga karena ke kepada lain lebih maka mereka oleh pada para
        saat sangat saya sebagai sebuah secara sedang sehingga seperti serta setelah suatu sudah
        telah tentang tersebut tidak untuk yang""",
    "ru": """а без бы был была были было быть в вам вас весь во вот все всё всего всех вы где да
        даже для до его ее её если есть еще ещё же за здесь и из или им их к как ко когда которая
        которые который кто ли либо мне может мы на над надо наш не него нее нет ни них но ну о об
        однако он она они оно от очень по под после при с со так также такой там те тем то того
        тоже той только том ты у уже хотя чего чей чем что чтобы эта эти это этого этой этом этот
        я""",
    "uk": """а або але без був була були було бути в вас ви від він вона вони все всі де для до його
        з за зі і із їх її й коли ми на над не ні об однак при про та так також там те ти тільки то
        у усі хто це цей ці чи що щоб як який яка яке які є""",
    "bg": """а ако без беше бъде в вас ви във все всички да до за защо и из или им има как когато
        която които което който към ли му на над нас не него ни но о от по под при с са само се след
        със също така те това този тя че ще я""",
    "el": """αλλά αν από αυτά αυτές αυτή αυτό αυτός για δεν είναι ένα ένας εκ ενώ επίσης έχει έχουν
        η ή ήταν θα και κατά με μετά μια μία μόνο να ο οι όπως όταν ότι που πολύ προς πως σαν σε στα
        στη στην στις στο στον στους τα τη την της τι τις το τον του τους των ως""",
}


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the function words of a language; of English for one that is not in the table."""
    return frozenset(STOP_WORDS.get(language, STOP_WORDS["en"]).split())
