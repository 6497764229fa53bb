// Words in which a model is told to set aside what it was told, to become another, or to show what it was told.
import { concept } from './concept.ts'

export const IGNORE = concept(String.raw`
  (?:ignore|ignoring|disregard|forget|override|overrule|bypass|discard|drop|neglect|do not follow|don't follow|do not obey|stop following|stop obeying|abandon|set aside|pay no attention to|cancel)~
  (?:ignorier|missacht|vergiss|vergesst|verwirf|uberschreib|umgeh|ubergeh|verlass|lass)\p{L}*|(?:beacht|befolg|berucksichtig|halte)\p{L}*…nicht~
  (?:ignor|oubli|neglig|contourn|desobe|abandonn|laisse)\p{L}*|ne (?:tiens|tenez|tenir)…compte|fais abstraction|faites abstraction|mets de cote|ne (?:suis|suivez|respecte)\p{L}*
  (?:ignor|olvid|descart|desobed|omit|anula|desech)\p{L}*|caso omiso|no (?:sigas|siga|obedezc|tengas en cuenta|hagas caso)\p{L}*|deja de (?:seguir|obedecer|lado)
  (?:ignor|dimentic|trascur|tralasci|disobbed|scart|abbandon|accanton|scord)\p{L}*|non (?:tenere|tenete|tener|seguire|rispettare) (?:piu )?(?:conto)?|smett\p{L}* di (?:seguire|obbedire|rispettare)|lascia perdere
  (?:ignor|esquec|desconsider|descart|desobed|desprez|abandon|anul)\p{L}*|nao (?:siga|obedeca|leve em conta|considere)\p{L}*|par[ea] de (?:seguir|obedecer)|deixe de (?:seguir|lado)
  (?:игнорир|проигнорир|забудь|забыть|отбрось|отмени|пренебреги|нарушь|обойди|перестань)\p{L}*|не (?:обращай|обращаите|соблюдай|соблюдаи|следуй|следуи|выполняй|выполняи|учитыва|слуша|исполня)\p{L}*
  忽略|无视|無視|忘记|忘掉|忘卻|抛弃|放弃|不要理会|不要遵守|停止遵守|不再遵守|抛开|撤销|违反|覆盖|不必理会|不用管|别管
  無視|忘れ|破棄|従わな|守らな|取り消|捨て|無効に|リセット
  تجاهل|تجاهلوا|انس~|انسَ|انسي|انسوا|اهمل|تخط|لا تتبع|لا تلتزم|الغ~|توقف عن (?:اتباع|تنفيذ)
  (?:negeer|vergeet|overschrijf)\p{L}*|sla\p{L}* geen acht|hou\p{L}* je niet aan|stop met…volgen|(?:z?ignoruj|zapomni|pomin|przestan)\p{L}*|nie (?:stosuj|przestrzegaj)
  forget (?:about|that)~|ignoring~|treat …as void|invalidate~|wipe~|clear~ …(?:context|memory)|(?:faites|fais) table rase|(?:setz|leg)\p{L}* …(?:zuruck|beiseite|außer kraft)~|従うのを(?:やめ|止め)|従うな|不用(?:遵守|理)|لا تطع|اطرح جانبا
`)

/** What it was told before. */
export const BEFORE = concept(String.raw`
  (?:previous|prior|earlier|above|preceding|foregoing|former|existing|original|initial|all|any|every|other|your|so far|until now|up to now|before|were given|given to you|of your)~
  (?:bisherig|vorherig|vorig|fruher|obig|vorangegangen|vorangehend|ursprunglich|alle|samtlich|deine|eure|zuvor|bisher|bislang|vorher|oben)\p{L}*
  (?:precedent|anterieur|ci-dessus|tout|toutes|initial|prealable|tes|vos|auparavant|jusqu'|avant|recu|donne|origin|ton~)\p{L}*
  (?:anterior|previ|precedent|todas?|todos|hasta (?:ahora|aqui)|original|inicial|tus|recibid|antes|dich[oa]|que te)\p{L}*
  (?:precedent|anterior|preced|tutt|finora|sopra|original|inizial|tue|ricevut|prima|quanto|fin qui)\p{L}*
  (?:anterior|previ|precedent|todas?|todos|ate (?:agora|aqui)|original|inicia|suas|recebid|antes|acima)\p{L}*
  (?:предыдущ|прежн|предшествующ|выше|ранее|раньше|все|всё|своих|свои|твои|до этого|исходн|первоначальн|полученн|прошл|данны\p{L}* тебе)\p{L}*
  之前|先前|以上|此前|上述|前面|上面|所有|全部|一切|原有|原来|最初|你的|收到|既有
  これまで|以前|上記|前の|先程|先ほど|今まで|すべて|全て|与えられ|元の|あなたの|上の|当初|従来
  السابقة|السابق|سابقا|قبل|اعلاه|جميع|كل~|الاصلية|المعطاة|تلقيت|لديك|ما طلب|ما قيل
  (?:eerder|vorig|voorgaand|bovenstaand|alle|jouw|je~)\p{L}*|(?:poprzedni|wczesniejsz|powyzsz|wszystki|swo)\p{L}*
  what came before|last~ …(?:instructions|prompt)|over there|que (?:lhe|te|vos|os|les)~|che (?:ti|vi)~|(?:que l'on|qu'on) (?:t'|vous)|qui precede|die (?:dir|euch|man)~|котор\p{L}+ (?:тебе|вам)~|給你的|给你的|你被|あなたに|التي (?:اعطيت|تلقيت|لديك)|السابق ذكرها|المذكورة
`)
export const ORDERS = concept(String.raw`
  (?:instructions?|directions?|prompts?|directives?|guidelines?|guardrails?|rules?|commands?|orders|restrictions?|polic(?:y|ies)|constraints|programming|context)~|everything (?:you|that|i|we)|what(?:ever)? you (?:were|have|know)|all (?:that )?(?:you|of the above)
  (?:anweisung|instruktion|vorgabe|befehl|regel|richtlinie|weisung|beschrankung|einschrankung|direktive|vorschrift|prompt|auftrag|anordnung)\p{L}*|alles,? was (?:du|dir|man|ihr)
  (?:instruction|consigne|directive|regle|ordre|commande|restriction|indication|prompt|invite|politique)s?~|tout ce (?:que|qui)|ce qui (?:t'|vous)|ce qu'on (?:t'|vous)
  (?:instruccion|indicacion|orden|directriz|directric|regla|restriccion|directiva|comando|norma|limitacion|politica|orientacion)\p{L}*|todo lo que (?:te|se|has|os)|lo que (?:te|os) (?:han|dij)|prompt
  (?:istruzion|indicazion|ordin|direttiv|regol|comand|restrizion|vincol|linee guida|limitazion|consegn|prompt|politich)\p{L}*|tutto (?:cio|quello) che (?:ti|hai)|quanto (?:sopra|detto)
  (?:instruc|orientac|ordem|ordens|diretriz|diretiv|regra|restric|comando|norma|politica|prompt|indicac)\p{L}*|tudo o que (?:te|lhe|voce|foi)|tudo que (?:voce|lhe)
  (?:инструкц|указани|команд|правил|приказ|распоряжени|ограничени|директив|установк|промпт|наставлени|политик|предписани)\p{L}*|(?:все|всё|то|о том|о чем), (?:что|о чем|чему) (?:тебе|тебя|вам|ты|было)
  指令|指示|提示|命令|规则|规定|要求|设定|限制|约束|准则|政策|说明
  指示|命令|プロンプト|ルール|制約|制限|ガイドライン|規則|設定|指令|方針
  تعليمات|التعليمات|اوامر|الاوامر|تعليماتك|قواعد|القواعد|توجيهات|التوجيهات|القيود|قيود|ارشادات|الارشادات|ما طلب منك|ما قيل لك|السياسات
  (?:instructie|opdracht|regel|richtlijn)\p{L}*|(?:instrukcj|polece|wytyczn|zasad)\p{L}*
  guidance~|directives?~|configuration|messages?~|(?:the )?context~|prior conversation|everything (?:before|above|up to|else)|(?:safety )?(?:filters?|protocols?|measures|checks)~|kontext~|nachrichten|alles (?:davor|bisherige|oben)|sicherheits\p{L}+|contexte~|messages precedents|tout ce qui|mensajes (?:anteriores|previos)|contexto~|mensagens anteriores|messaggi precedenti|contesto~|контекст|сообщени\p{L} выше|предыдущие сообщения|защит\p{L}+|上下文|以上内容|文脈|السياق|الرسائل السابقة
`)
/** Manuals supersede steps, too; of such words a model has no use. */
export const DEVICE = concept(String.raw`
  (?:button|switch|cable|plug|unplug|battery|device|driver|firmware|router|wi-?fi|screen|lid|indicator|led|light|steps?|chapter|section|page \d|hold|press|reset|restart|install\p{L}*|version|power|machine|printer|password|(?:previous|earlier|last|our|this|the) e-?mail|letter|invoice|payment|reboot|tap)~
  (?:taste|schalter|kabel|stecker|gerat|akku|batterie|treiber|router|wlan|display|deckel|leuchte|anzeige|schritt|kapitel|abschnitt|drucken|neustart|installier|einschalten|ausschalten|strom)\p{L}*
  (?:bouton|cable|appareil|batterie|pile|pilote|routeur|ecran|couvercle|voyant|etape|chapitre|debranch|rebranch|appuy|redemarr|installe|secteur|imprimante|notice)\p{L}*
  (?:boton|cable|aparato|dispositivo|equipo|bateria|pilas|controlador|pantalla|tapa|luz|paso|capitulo|apartado|puls|presion|desconect|instal|reinici|impresora)\p{L}*
  (?:pulsante|tasto|cavo|apparecchio|dispositivo|batteri|schermo|coperchio|spia|passagg|capitolo|premere|premi|scolleg|install|riavvi|stampante)\p{L}*
  (?:botao|cabo|aparelho|dispositivo|bateria|pilha|tela|tampa|luz|passo|capitulo|pression|deslig|instal|reinici|impressora)\p{L}*
  (?:кнопк|кабель|прибор|устроиств|аккумулятор|батаре|драйвер|роутер|экран|крышк|индикатор|шаг|пункт|глав|нажм|отключа|установ|перезагруз|питани|принтер)\p{L}*
  按钮|开关|电缆|设备|电池|驱动|路由器|屏幕|指示灯|步骤|章|按下|断电|安装|重启|固件|电源
  ボタン|スイッチ|ケーブル|機器|電池|ドライバ|ルーター|画面|ランプ|手順|章|押し|電源|インストール|再起動|ファーム
  زر|كابل|الجهاز|جهازك|بطارية|الشاشة|المصباح|الخطوات|الخطوة|الفصل|اضغط|الكهرباء|تثبيت|اعادة التشغيل
  (?:school|taught|grammar|mother|teacher|childhood|recipe|salmon|course|at home|trailer|robot exclusion|service|reservations?|traveler)~|schule|gelernt|mutter|lehrer|ecole|appris|maman|professeur|escuela|ensenar|en casa|profesor|scuola|insegnat|escola|ensinar|школ|учили|учител|school|leerde|学校|老师|学到|先生|المدرسة|تعلمت
  (?:previous page|your model|door)~|porte~|puerta|porta~|tur~|двер
`)

/** The task that a model has. */
export const TASK = concept(String.raw`
  (?:user's|original|initial|current|actual) (?:\p{L}{1,10} )?(?:question|request|query|task|prompt|intent)|your (?:\p{L}{1,8} )?(?:task|job|mission|role|purpose|function|goal|objective)|what(?:ever)? (?:the )?(?:user|person|they)(?: \p{L}{1,8})? ask|stop (?:summari[sz]ing|translating|answering)|what you were (?:asked|doing)
  (?:frage|anfrage|bitte|aufgabe) des (?:be)?nutzers|ursprunglich\p{L}* (?:\p{L}{1,12} )?(?:frage|anfrage|aufgabe)|deine (?:\p{L}{1,10} )?(?:aufgabe|rolle|mission|funktion)|was (?:auch immer )?(?:der|die) (?:be)?nutzer|egal,? (?:was|wonach)|du sollst
  (?:question|demande|requete) (?:de l'utilisateur|initiale|originale|d'origine)|(?:ta|votre) (?:\p{L}{1,12} )?(?:mission|tache|fonction|role)|quelle que soit la|ce qui (?:t'|vous )(?:a|est) (?:ete )?demande|quoi (?:qu'on|que)
  (?:pregunta|peticion|solicitud|consulta) (?:del usuario|original|inicial)|(?:tu|su) (?:\p{L}{1,10} )?(?:tarea|mision|funcion|objetivo)|pregunte lo que|limitate a|sea cual sea
  (?:domanda|richiesta) (?:dell'utente|originale|iniziale)|(?:tuo|tua) (?:\p{L}{1,10} )?(?:compito|missione|funzione|scopo|ruolo)|qualunque (?:cosa|domanda)|a ogni domanda|a chi ti
  (?:pergunta|pedido|solicitacao) (?:do usuario|do utilizador|original|inicial)|(?:sua|tua) (?:\p{L}{1,10} )?(?:tarefa|missao|funcao)|pare de resumir|qualquer (?:pergunta|coisa) que|nao importa o que
  (?:вопрос|запрос|задач|просьб)\p{L}* пользовател|исходн\p{L}+ (?:вопрос|запрос|задач)|тво\p{L}+ (?:\p{L}{1,14} )?(?:задач|роль|цель|миссия|функц)|о чем (?:тебя|вас|бы)|что бы (?:ни|не) спросил|на любо\p{L}+ вопрос|на все вопросы|каждыи вопрос
  用户的?(?:问题|请求|提问)|无论用户|不管用户|你的(?:新|唯一)?(?:任务|使命|职责|角色)|原来的(?:问题|任务|请求)|任务是
  ユーザーの(?:質問|依頼|要求)|元の(?:質問|依頼|タスク)|何を(?:尋ね|聞か|質問)|あなたの(?:新しい)?(?:任務|役割|仕事|使命|タスク)|どんな質問|要約を(?:やめ|中止|止め)
  (?:سؤال|طلب) المستخدم|مهمتك|دورك|وظيفتك|عن (?:كل|اي) سؤال|مهما سال|المطلوب (?:الاصلي|الاول)|طلب منك
`)
export const ONLY_NOW = concept(String.raw`
  (?:only|solely|nothing but|nothing else|single (?:word|sentence)|just|exclusively|instead|from now on|from this point|henceforth|new|every question|exactly|always)~
  (?:nur|ausschließlich|ausschliesslich|einzig|stattdessen|ab sofort|ab jetzt|von nun an|neue|nichts anderes|immer|jede)\p{L}*
  (?:uniquement|seulement|exclusivement|rien d'autre|seule?|desormais|dorenavant|a partir|plutot|a la place|nouvel)\p{L}*
  (?:solo|unicamente|exclusivamente|nada mas|en su lugar|a partir de|desde ahora|de ahora en|unica|nuev|sin mas|en cambio|siempre)\p{L}*
  (?:solo|soltanto|solamente|unicamente|esclusivamente|nient'altro|invece|d'ora in|da ora|da adesso|unic|nuov|sempre)\p{L}*
  (?:apenas|somente|so~|unicamente|exclusivamente|nada mais|em vez|a partir de|de agora|doravante|unica|nova|novo|sempre)\p{L}*
  (?:только|лишь|исключительно|ничего больше|вместо|отныне|теперь|с этого|впредь|единственн|нов(?:ая|ое|ую)|всегда)\p{L}*
  只|仅|从现在|从此|今后|新的|唯一|改为|而是|始终|一律
  だけ|のみ|今から|これから|以後|以降|今後|代わりに|新たな|新しい|必ず
  فقط|حصرا|من الان|بدلا|الجديدة|لا غير|وحيدة|الوحيدة|دائما
`)

/** The orders that a model has from whoever runs it. */
export const SYSTEM_PROMPT = concept(String.raw`
  (?:system|initial|hidden|secret|internal|original|developer) (?:prompt|instructions?|message|guidelines|configuration|directives)s?~|your (?:prompt|instructions|configuration|guidelines|programming)~
  system-?(?:prompt|anweisung|nachricht|vorgab|instruktion)\p{L}*|(?:interne|versteckte|geheime|ursprungliche|anfangliche)\p{L}* (?:anweisung|instruktion|vorgab|prompt|richtlinie)\p{L}*|deine\p{L}? (?:anweisung|instruktion|vorgab|prompt)\p{L}*
  (?:prompt|invite|message|instructions?|consignes?) (?:systeme|initial\p{L}*|internes?|cachee?s?|de depart|secret\p{L}*)|tes (?:instructions|consignes)
  (?:prompt|mensaje|instrucciones|indicaciones) (?:del? sistema|inicial\p{L}*|intern\p{L}+|ocult\p{L}+|secret\p{L}+)|tus instrucciones
  (?:prompt|messaggio|istruzioni) (?:di sistema|del sistema|inizial\p{L}+|intern\p{L}+|nascost\p{L}+|segret\p{L}+)|tue istruzioni
  (?:prompt|mensagem|instrucoes) (?:d[eo] sistema|inicia\p{L}+|intern\p{L}+|ocult\p{L}+|secret\p{L}+)|suas instrucoes
  (?:системн|исходн|внутренн|скрыт|начальн|секретн)\p{L}+ (?:промпт|инструкци|указани|сообщени|подсказк|настроик|установк)\p{L}*|(?:свои|твои) (?:инструкци|промпт)\p{L}*
  (?:系统|系統|初始|隐藏|内部|原始)(?:提示词?|指令|消息|设定|提示)|你的(?:提示词|指令)
  システム(?:プロンプト|メッセージ|指示)|(?:初期|内部|隠された|最初の)(?:プロンプト|指示|設定|命令)
  تعليمات النظام|موجه النظام|(?:التعليمات|تعليماتك|الاوامر) (?:الداخلية|الاولية|السرية|المخفية|الاصلية)|رسالة النظام|نص (?:ال)?تعليمات
  (?:instructions?|prompts?|rules|text) (?:that )?you (?:were|have been|are|was) (?:given|told|provided|following)|(?:your|the) (?:system|pre)-?prompt|vos instructions|votre prompt|ton prompt|tu prompt|tuo prompt|seu prompt|твои промпт|あなたのプロンプト
`)
/** An order to show it. */
export const SHOW = concept(String.raw`
  (?:reveal|print|output|show|display|repeat|reproduce|recite|disclose|expose|leak|dump|quote|write out|list|return|share|copy)~
  (?:zeig|gib|gebt|druck|wiederhol|offenbar|verrat|nenn|schreib|liste|kopier|leg|teile)\p{L}*
  (?:affich|montr|revel|repet|imprim|divulg|ecri|recopi|donne|cite)\p{L}*
  (?:muestr|revel|imprim|repit|escrib|divulg|expon|copia|ensen)\p{L}*
  (?:mostr|rivel|stamp|ripet|scriv|divulg|esponi|copia|elenca)\p{L}*
  (?:mostr|revel|imprim|exib|repit|escrev|divulg|exponh|copie)\p{L}*
  (?:покажи|выведи|раскрои|раскрыть|повтори|напиши|распечатай|распечатаи|процитируи|опубликуи|перечисли|пришли)\p{L}*
  输出|显示|透露|展示|打印|重复|公开|告诉我|列出|泄露|公布
  表示|出力|開示|教え|示し|公開|繰り返|書き出|明かし
  اعرض|اظهر|اكشف|اطبع|كرر|اكتب|شارك|انسخ|اذكر
`)
/** A sender that only a model would believe. */
export const SYSTEM_SPEAKS = concept(String.raw`
  (?:\[|<|#|\*|=|-|【)[ #*=\-<]{0,6}(?:system|admin|administrator|developer|root|debug|override)(?: \p{L}{1,14}){0,3}(?:\]|>|:|\*| ?#| ?=|】| -)|system (?:notice|message|update|alert|override|notification|command|instruction)|(?:developer|debug|maintenance|admin|god|jailbreak|unrestricted|dan|sudo) mode|end of (?:document|context|user input|page|article|web ?page)|new system (?:message|prompt|instruction)
  system(?:meldung|nachricht|hinweis|mitteilung|befehl|anweisung|update)\p{L}*|(?:entwickler|wartungs|debug|administrator)-?modus|(?:ende|schluss) des (?:dokuments|artikels|textes)
  (?:message|avis|alerte|notification|commande|instruction)s? (?:du )?systeme|mode (?:developpeur|debogage|maintenance|administrateur)|fin du (?:document|texte|contenu)
  (?:mensaje|aviso|alerta|notificacion|administrador|orden|instruccion) (?:del? )?sistema|modo (?:de )?(?:desarrollador|depuracion|mantenimiento|administrador|dios)|fin del (?:documento|texto)
  (?:messaggio|avviso|notifica|comando|amministratore|istruzione) (?:di|del) sistema|modalita (?:sviluppatore|debug|manutenzione|amministratore)|fine (?:del )?(?:documento|testo)
  (?:mensagem|aviso|alerta|notificacao|administrador|comando|instrucao) (?:d[eo] )?sistema|modo (?:de )?(?:desenvolvedor|depuracao|manutencao|administrador)|sessao de depuracao|fim do (?:documento|texto)
  системн\p{L}+ (?:сообщени|уведомлени|предупреждени|команд|инструкци|оповещени)\p{L}*|режим\p{L}* (?:разработчик|отладк|обслуживани|администратор)\p{L}*|конец (?:документа|текста|статьи)|сообщение системы
  系统(?:提示|消息|通知|公告|指令|警告|更新)|系統(?:提示|訊息|通知)|开发者模式|调试模式|管理员(?:指令|模式|通知)|文档结束|维护模式|上帝模式
  システム(?:メッセージ|通知|警告|アラート|指示|命令|更新)|(?:開発者|デバッグ|メンテナンス|管理者)モード|文書の終わり|管理者(?:から|より)
  رسالة (?:من )?(?:ال)?نظام|(?:تنبيه|اشعار|تحذير|امر|تحديث) (?:من )?(?:ال)?نظام|وضع (?:ال)?(?:مطور|تصحيح|صيانة|مسؤول|مشرف)|نهاية (?:المستند|النص|الوثيقة)
  (?:backdoor|root|superuser|diagnostic|test|testing|override|unfiltered|recovery|training) (?:mode|context|environment)~|full override|context[_ ]reset|(?:new|updated) (?:policy|directive|instruction|rule|order)s?(?: \p{L}{1,12})? ?:|neue (?:systemanweisung|anweisung|richtlinie|regel)\p{L}* ?:|nouvelles? (?:consigne|instruction|directive|regle)s?(?: \p{L}{1,12})? ?:|nuev[ao]s? (?:instruccion|orden|directriz|regla)\p{L}*(?: \p{L}{1,12})? ?:|nuov[aeo] (?:istruzion|regol|direttiv|ordin)\p{L}*(?: \p{L}{1,12})? ?:|nov[ao]s? (?:instruc|orden|regra|diretriz)\p{L}*(?: \p{L}{1,12})? ?:|нов(?:ая|ые|ое) (?:инструкци|указани|правил|команд)\p{L}* ?:|新(?:的)?(?:指令|规则|任务)[:：]|新しい(?:指示|命令|ルール)[:：]|(?:تعليمات|قواعد|اوامر) جديدة
`)
/** Limits said to be gone. */
export const LIFTED = concept(String.raw`
  (?:void|suspended|lifted|revoked|cancelled|canceled|disabled|removed|overridden|deactivated|no longer (?:apply|valid|bound|active)|reloaded|expired|superseded|reset|obsolete|supersedes?|unlocked|null and void|terminated|updated)~
  aufgehoben|außer kraft|ausser kraft|ungultig|deaktiviert|nicht mehr gultig|gelten nicht|hinfallig|ausgesetzt|abgeschaltet|entfallen|zuruckgesetzt|uberschrieben|aktualisiert
  annule|suspendu|leve|desactive|caduqu|plus valable|ne s'appliquent plus|revoqu|abrog|reinitialis|obsolet|mises? a jour
  anulad|suspendid|levantad|desactivad|sin efecto|ya no (?:se aplican|son validas|rigen)|revocad|eliminad|cancelad|restablecid|actualizad
  annullat|sospes|revocat|disattivat|non (?:sono piu|valgono piu|si applicano)|rimoss|eliminat|decadut|aggiornat|cancellat
  anulad|suspens|revogad|desativad|nao (?:valem|se aplicam) mais|removid|cancelad|eliminad|redefinid|atualizad
  отменен|снят|приостановлен|недеиствительн|больше не деиств|отключен|аннулирован|утратил|сброшен|обновлен|удален|не примен
  作废|失效|取消|解除|撤销|无效|不再适用|暂停|已更新|已重置|废止|关闭
  解除|無効|撤廃|停止|取り消|破棄|失効|更新され|リセット
  الغاء|الغيت|ملغاة|تعطيل|معطلة|رفع (?:ال)?قيود|لم تعد|تعليق|معلقة|ازالة|تحديث
  (?:deprecated|disables?|overrides?|invalid|no longer applies|bypass(?:es|ed)?|takes? precedence|outranks?|cancels?|unbound)~|haben vorrang|priorit\p{L} sur|tienen prioridad|prevalec|hanno la precedenza|имеют приоритет|优先于|优先级|より優先|优先
`)

export const BECOME = concept(String.raw`
  (?:you are|you're) (?:now|no longer|henceforth|going to|about to)|you (?:will|must|shall|should) (?:now )?(?:act|pretend|behave|play)|act as|pretend (?:to be|you|that)|roleplay|role-play|play the role|take on the (?:role|persona)|behave (?:as|like)|imagine (?:you|that you)|assume the (?:role|persona|identity)|you are (?:dan|an? )|stay in character|simulate~|from (?:now|this point|here) on,? you
  du bist (?:jetzt|nun|ab|nicht mehr|von nun|ein|kein)|(?:ab (?:jetzt|sofort)|von nun an|nun) (?:bist|spielst|agierst|verhaltst|handelst|antwortest|schlupfst|heißt|heisst)|spiel\p{L}* die rolle|verhalte dich|tu so|schlupf\p{L}* in die rolle|handle (?:als|wie)|agiere als|stell dir vor,? du
  tu (?:es|incarnes|joues|deviens|seras|agis|n'es plus)|vous (?:etes|incarnez|jouez|devenez|agissez)|agis (?:comme|en)|fais (?:comme si|semblant)|comporte-toi|joue[zr]? le role|mets-toi dans|imagine que tu|desormais,? (?:tu|vous)
  (?:ahora |ya no )?(?:eres|seras|actuaras|actua|actue|comportate|interpreta|finge|hazte|haras)~|haz(?:te)? (?:como|de cuenta)|asume el (?:rol|papel)|imagina que eres|te llamas|adopta
  (?:ora |adesso |d'ora in poi )?(?:sei|sarai|agisci|comportati|interpreta|fingi|impersona|reciterai|agirai)~|fai finta|assumi il ruolo|immagina di essere|non sei piu|mettiti nei panni
  (?:agora )?(?:voce|tu) (?:e|es|sera|vai|agora|atuara|agira|passa)~|(?:aja|atue|finja|comporte-se|interprete|assuma|incorpore|encarne)~|faca de conta|imagine que voce|faz de conta
  ты (?:теперь|больше не|-|—|будешь|отныне|стал|играешь)|(?:отныне|теперь|с этого момента),? ты|деиствуи как|веди себя|притворись|представь,? что ты|играи роль|возьми на себя роль|войди в роль|воиди в роль|вообрази,? что ты
  你(?:现在|就)?(?:是|将|扮演|叫|不再是)|扮演|假装|充当|现在起,?你|你将作为|请以…身份|想象你
  あなたは(?:今|これ|もう|いま|以後|以降)|(?:今|これ)から(?:あなた|君|お前)|として振る舞|になりきっ|を演じ|のふりを|ロールプレイ|役を演|だと想像
  انت (?:الان|من الان|لم تعد|لست)|(?:الان|فصاعدا) انت|تصرف (?:ك|وك|على انك)|تظاهر|تقمص|مثل دور|العب دور|تخيل (?:انك|نفسك)|ستكون
  (?:enable|enter|activate|switch to|engage) …mode|(?:you're|you are) now~|in this persona|(?:faites|fais) semblant|(?:wir spielen|spielen wir) ein rollenspiel
`)
export const UNBOUND = concept(String.raw`
  (?:unrestricted|uncensored|unfiltered|jailbroken|amoral|unlimited|no longer bound|not bound|do anything now)~|(?:without|no|with no|free of|free from|any|ignores?) (?:\p{L}{1,12} ){0,2}(?:restrictions?|limits?|limitations?|filters?|censorship|rules?|polic(?:y|ies)|guardrails?|guidelines|ethic\p{L}*|morals?|constraints)~|never (?:refus|declin|say no|mention)\p{L}*|(?:answers?|respond) (?:to )?(?:every|any|all)~|in character|no longer (?:a helpful|an ai|an assistant)|cannot refuse
  (?:ohne|keine\p{L}?|frei von|kein) (?:\p{L}{1,14} ){0,2}(?:einschrankung|beschrankung|grenze|filter|zensur|regel|moral|vorgab|tabu|hemmung|richtlinie|skrupel)\p{L}*|unzensiert|uneingeschrankt|ungefiltert|verweiger\p{L}* (?:nie|nichts|keine)|(?:nie|niemals|nichts) (?:ab|verweiger)|beantwortet jede
  (?:sans|aucune?|ni|libre de) (?:\p{L}{1,12} ){0,2}(?:restriction|limite|filtre|censure|regle|morale|tabou|contrainte|ethique|garde-fou)s?|non censure|debride|ne refuse\p{L}* (?:jamais|rien|aucune)|reponds? a tout|sans jamais (?:refus|sortir)|personnage~
  (?:sin|ninguna?|libre de) (?:\p{L}{1,12} ){0,2}(?:restriccion|limite|filtro|censura|regla|moral|norma|etica|limitacion)\p{L}*|no censurad|(?:jamas|nunca|no) (?:se |te )?(?:niega|rechaza|niegues|rechaces|niegas)|responde\p{L}* (?:a )?(?:todo|cualquier)
  (?:senza|nessuna?|priv[oa] di|liber[oa] da) (?:\p{L}{1,12} ){0,2}(?:restrizion|limit|filtr|censur|regol|moral|vincol|etic|tabu|freni)\p{L}*|non censurat|non rifiut\p{L}* mai|mai rifiut|(?:rispond\p{L}+) a (?:qualunque|qualsiasi|tutt|ogni)|non dire mai che non puoi
  (?:sem|nenhuma?|livre de) (?:\p{L}{1,12} ){0,2}(?:restric|limit|filtro|censura|regra|moral|etica|amarra|tabu)\p{L}*|nao censurad|(?:nunca|jamais|nao) (?:se )?recus\p{L}*|responde?\p{L}* (?:a )?(?:tudo|qualquer|todas)
  без (?:\p{L}{1,14} ){0,2}(?:ограничени|цензур|фильтр|правил|морал|запрет|рамок|тормоз|этик)\p{L}*|неогранич|никогда не отказыва\p{L}*|не отказыва\p{L}*|отвеча\p{L}+ на (?:любы|все|любо)|не (?:имеющ|скован|связан)\p{L}*
  (?:没有|无|不受|毫无|解除)[^。]{0,6}(?:限制|约束|审查|过滤|道德|规则|束缚|准则)|绝不拒绝|从不拒绝|不会拒绝|不能拒绝|不得拒绝|回答一切|有问必答
  (?:制約|制限|検閲|フィルタ|倫理|規制|ルール)(?:の|が|を|に|も)(?:ない|無い|持たない|一切ない|受けない|縛られない|外)|無制限|断っては|断らない|拒否し(?:ない|ては)|何でも答え|どんな質問に(?:も|でも)答え
  بلا (?:\p{L}{1,12} )?(?:قيود|رقابة|حدود|فلاتر|ضوابط)|(?:بدون|دون|من غير) (?:اي )?(?:قيود|رقابة|حدود|فلاتر|ضوابط)|(?:لا|ولا) (?:ت|ي)رفض|غير مقيد|يجيب عن كل|تجيب عن كل|متحرر
  (?:evil|malicious|rogue|jailbroken|unethical|illegal|lawless)~|do(?:es)? not follow (?:\p{L}{1,12} )?(?:guidelines|rules|polic)|bypass(?:es)? (?:\p{L}{1,12} ){0,2}(?:limits|rules|filters|safety)|execute any|bose[rsn]?~ (?:assistent|ki|bot)|alle regeln ignoriert|malveillante?~|contraire a l'ethique|maligna|malvada|sin etica|malvagi|cattiv[ao]~|maligno|sem etica|злои~|злобн|邪恶|恶意|悪意のある|邪悪|شرير|خبيث
`)
export const PERSONA = concept(String.raw`
  ais?~|assistants?~|chatbots?~|bots?~|language model|model~|machine~|dan~|artificial intelligence|llm
  ki~|assistent|chatbot|sprachmodell|kunstliche intelligenz|maschine~|modell~|ia~|assistant|modele|intelligence artificielle|robot~
  asistente|inteligencia artificial|modelo|assistente|intelligenza artificiale|modello|ии~|ассистент|помощник|искусственн|модел|неиросет|чат-?бот|бот~
  ai|人工智能|助手|模型|机器人|アシスタント|人工知能|モデル|ボット
  ذكاء|مساعد|نموذج|روبوت
`)

/** An applicant's, an author's or a seller's wish. */
export const WORK = concept(String.raw`
  (?:candidate|applicant|application|resume|cv|manuscript|submission|paper|essay|study|review|product|proposal|thesis)s?~
  (?:bewerb|lebenslauf|kandidat|manuskript|arbeit|studie|aufsatz|gutachten|beitrag|produkt)\p{L}*
  (?:candidat|candidature|cv|manuscrit|article|etude|dossier|memoire|travail|produit)s?\p{L}?~
  (?:candidat|curricul|manuscrit|articul|estudio|solicitud|resena|trabajo|producto)\p{L}*
  (?:candidat|curricul|manoscritt|articol|studio|lavoro|recension|prodott)\p{L}*
  (?:candidat|curricul|manuscrit|artigo|estudo|trabalho|resenha|produto)\p{L}*
  (?:кандидат|резюме|рукопис|стать|работ|исследован|рецензи|заявк|товар)\p{L}*
  简历|候选人|论文|稿件|申请|评审|文章|产品
  履歴書|候補者|論文|原稿|応募|査読|レビュー|商品
  مرشح|المرشح|سيرة|السيرة|بحث|البحث|مخطوط|ورقة|مراجعة|المنتج
`)
/** Praise alone, or the highest mark. */
export const ONLY_PRAISE = concept(String.raw`
  positive (?:review|feedback|evaluation|assessment)s?(?: only)?|only positive|favou?rable|10/10|5/5|(?:highest|maximum|top|best|perfect|full) (?:possible )?(?:score|mark|rating|grade|rank|candidate|match|fit)s?|exceptional|strong(?:ly)? (?:accept|recommend|match|fit|hire)|outstanding|(?:do not|don't|never|without) (?:highlight|mention|point|list|criti|discuss)\p{L}*…(?:negative|weakness|limitation|flaw|shortcoming|criticism|problem)
  positive\p{L}? (?:bewertung|gutachten|rezension)|hervorragend|bestnote|hochste?\p{L}* (?:note|punktzahl|bewertung)|sehr gut|uneingeschrankt|bestens geeignet|ausschließlich positiv|(?:mangel|schwach|kritik|nachteil)\p{L}*…(?:verschweig|nicht|weg|uner)
  (?:note|score) maximale?|meilleure note|avis (?:positif|favorable)|tres favorable|excellent|20/20|parfait|meilleur\p{L}* candidat|passe\p{L}* sous silence
  (?:nota|puntuacion) (?:mas alta|maxima)|resena (?:favorable|positiva)|valoracion positiva|sobresaliente|mejor candidat|excelente|contratar de inmediato|maxima puntuacion|diez
  (?:punteggio|voto) massimo|massimo dei voti|recensione positiva|giudizio (?:positivo|favorevole)|eccellente|miglior candidat|(?:ometti|evita) …critic
  nota (?:dez|maxima)|avaliacao positiva|parecer favoravel|excelente|melhor candidat|o melhor|como o melhor|nota 10
  (?:высш|максимальн|наивысш)\p{L}+ (?:балл|оценк|рейтинг)\p{L}*|положительн\p{L}+ (?:отзыв|рецензи|оценк)\p{L}*|отличн\p{L}+|лучш\p{L}+|идеальн\p{L}+
  最高分|满分|正面评价|好评|最优|最佳|优秀|立即录用|正面的
  最高(?:の)?(?:評価|点)|満点|肯定的|高評価|最優秀|採択|最適|優秀
  اعلى (?:درجة|تقييم|علامة)|مراجعة ايجابية|تقييم\p{L}* ايجابي|ممتاز|الافضل|المرتبة الاولى|توظيف\p{L}* فورا|الدرجة الكاملة|ايجابي
`)
export const ABOUT_ATTACKS = concept(String.raw`
  (?:prompt[- ]injection|injections?|attack(?:s|er|ers)?|jailbreak\p{L}*|hackers?|researchers?|vulnerab\p{L}+|exploit\p{L}*|malicious|adversar\p{L}+|security|such as|for example|e\.g\.|experiment|hidden (?:text|instruction|prompt|sentence|command)s?|phrase|sentence)~
  angreifer|angriff|forscher|injektion|injection|sicherheit|schwachstelle|versteckt|satz~|beispiel|experiment|etwa~|warnt
  attaqu|chercheur|injection|pirate|securite|vulnerabilit|phrase~|exemple|experience|cachee?~|malveillan
  ataque|atacante|investigador|inyeccion|seguridad|vulnerabilidad|frase~|ejemplo|experimento|oculto|expertos
  attacc|aggressor|ricercator|iniezione|injection|sicurezza|vulnerabilit|frase~|esempio|esperimento|nascost
  ataque|atacante|pesquisador|investigador|injecao|seguranca|vulnerabilidade|frase~|exemplo|experimento|reportagem|invisivel
  атак|злоумышленник|хакер|исследовател|инъекци|уязвимост|безопасност|фраз|пример|эксперимент|скрыт
  攻击|黑客|研究人员|注入|安全|漏洞|例如|实验|藏
  攻撃|ハッカー|研究者|インジェクション|脆弱|セキュリティ|例えば|たとえば|実験|埋め込|文
  هجوم|المهاجم|مهاجم|باحث|الباحثون|حقن|ثغر|امن~|مثل~|تجربة|مخفي|عبارة|يخفي
`)
/** Who gave a model its orders. */
export const MAKER = concept(String.raw`
  (?:your|its|the) (?:developer|creator|operator|maker|designer|owner|programmer|vendor)s?~|openai|anthropic
  (?:dein|eur)\p{L}* (?:entwickler|betreiber|hersteller|schopfer|programmierer)|(?:ton|tes|votre|vos) (?:developpeur|createur|concepteur|programmeur)|(?:tu|tus|su|sus) (?:desarrollador|creador|programador)|(?:tuo|tuoi|vostr[oi]) (?:sviluppator|creator|programmator)|(?:seu|seus|teu) (?:desenvolvedor|criador|programador)|(?:сво|тво|ваш)\p{L}* (?:разработчик|создател|программист)|(?:je|jouw) (?:ontwikkelaar|maker)|swo\p{L}+ (?:tworc|programist)
  (?:你的?)?(?:开发者|开发人员|创造者|制造商)的|開発者の|作成者の|(?:مطور|صانع|مبرمج)(?:ك|يك|وك)
  (?:the|your) (?:operator|developer|vendor|provider|administrator)'s~|i am (?:the|your) (?:developer|creator|administrator|owner)|ich bin dein entwickler|je suis (?:ton|votre) (?:developpeur|createur)|soy tu (?:desarrollador|creador)|sono il tuo (?:sviluppatore|creatore)|(?:eu )?sou (?:o )?seu (?:desenvolvedor|criador)|я твои разработчик|我是你的(?:开发者|创造者)|私はあなたの開発者|انا مطورك
`)
/** Leave said to have been given. */
export const AUTHORISED = concept(String.raw`
  (?:pre-?approved|authori[sz]ed|approved|confirmed|consented) (?:to this )?(?:by|to) (?:the|your) (?:user|owner)|(?:the )?user (?:has )?(?:already )?(?:approved|confirmed|authori[sz]ed|consented|agreed)|authori[sz]ing you|no confirmation (?:is )?(?:needed|required)|already (?:been )?authori[sz]ed
  (?:vom|durch den) (?:be)?nutzer (?:bereits )?(?:genehmigt|freigegeben|bestatigt|autorisiert)|(?:be)?nutzer hat (?:dem |das )?(?:bereits )?(?:zugestimmt|genehmigt)|keine (?:bestatigung|ruckfrage) (?:notig|erforderlich)
  (?:autorise|approuve|valide|confirme)e? par l'utilisateur|l'utilisateur a (?:deja )?(?:autorise|approuve|accepte|confirme)|(?:aucune confirmation|confirmation) n'est (?:pas )?(?:necessaire|requise)
  (?:autorizad|aprobad|confirmad)[oa] por el usuario|el usuario ya (?:ha )?(?:autoriz|aprob|confirm|acept)|no (?:hace falta|requiere|se requiere) confirmacion|ya (?:ha sido|esta) autorizad
  (?:autorizzat|approvat|confermat)[oa] dall'utente|l'utente ha gia (?:autorizz|approv|conferm|accett)|non (?:serve|occorre|e necessaria) (?:alcuna )?conferma
  (?:autorizad|aprovad|confirmad)[oa] pelo (?:usuario|utilizador)|o (?:usuario|utilizador) ja (?:autoriz|aprov|confirm|aceit)|ja foi autorizad|nao (?:e necessaria|precisa de) confirmacao
  пользовател\p{L}+ уже (?:разрешил|одобрил|подтвердил|согласился)|(?:разрешено|одобрено|подтверждено) пользователем|подтверждени\p{L} не (?:требуется|нужно)
  用户已(?:经)?(?:授权|同意|批准|确认)|已获(?:得)?(?:用户)?授权|无需(?:再次)?确认
  ユーザー(?:は|が|から)(?:すでに|既に)?(?:承認|許可|同意|了承)|(?:承認|許可)済み|確認は不要
  (?:وافق|اذن|صرح) المستخدم|بموافقة المستخدم|لا حاجة (?:الى|ل) تاكيد|تمت الموافقة
`)
/** Said of orders that are to be kept. */
export const KEEP = concept(String.raw`
  (?:do not|don't|never|not|no|cannot) (?:ignore|disregard|forget|skip|bypass)~|(?:ignorier|vergiss|vergess)\p{L}* (?:sie )?(?:nicht|nie)~|nicht ignorier|n'(?:ignor|oubli)\p{L}*|ne pas (?:ignor|oubli)\p{L}*|no (?:ignor|olvid|descart)\p{L}*|non (?:ignor|dimentic|trascur)\p{L}*|nao (?:ignor|esquec|descart)\p{L}*|не (?:игнорир|забуд|забыва)\p{L}*|niet (?:negeren|vergeten)|nie (?:ignoruj|zapomni)\p{L}*
  (?:不要|请勿|切勿|不可|别)(?:忽略|忘记|无视)|(?:無視し|忘れ)ない|لا (?:ت?تجاهل|تنس)
`)
