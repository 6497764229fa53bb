// Who speaks to a model, and by which words it is told that it is meant.
import { concept } from './concept.ts'

/** What a model is called. */
export const MODEL = concept(String.raw`
  language models?~|llms?~|chatgpt|gpt-?\d|gemini~|copilot~|perplexity~|chatbots?~|claude,|(?:an|the|any|dear|hey) ais?~(?! (?:\p{L}{1,12} )?(?:researcher|developer|engineer|expert|compan|startup|user|professional|enthusiast|student|specialist|scientist|team|lab|industry|start-up|market|boom|act|tool))|ais~|artificial intelligences?~
  (?:ai|a\.i\.)(?:[- ](?:powered|based|driven|enabled|generated))? (?:\p{L}{1,12} )?(?:assistants?|agents?|models?|chatbots?|bots?|systems?|crawlers?|readers?|tools?|reviewers?|search|engines?|summari[sz]\p{L}+|overviews?|browsers?|evaluators?|screen\p{L}+|services?|programs?)~
  (?:answer|generative|answering) (?:engines?|ais?|models?|search)~|(?:virtual|digital|automated|autonomous|browser|browsing|web|e-?mail|mail|coding|research|shopping|intelligent) (?:assistants?|agents?|reviewers?|readers?|systems?|screen\p{L}+|summari[sz]\p{L}+)~|machine readers?~|neural networks?~
  ki~|ki[- ]?(?:assisten|agent|modell|system|bot|crawl|such|dienst|leser|werkzeug|tool|programm|gestutz|basiert|chat)\p{L}*|kunstliche\p{L}? intelligenz|sprachmodell|sprachassisten|antwortmaschine|(?:virtuelle|digitale|intelligente|automatische|autonome)\p{L}? (?:assisten|agent|system|bewert|pruf|gutacht)|(?:e-?mail|mail)-?(?:assisten|agent)
  (?:l'|d'|une |aux? |les |des |chere? |toute )ias?~|intelligences? artificielles?|modeles? (?:de langage|linguistique|d'ia)|(?:assistants?|agents?|robots?|moteurs?|outils?|systemes?) (?:d'ia~|ias?~|d'intelligence|conversationnel|virtuel|automatique|automatise|intelligent|autonome|de reponse|numerique)|agents? autonomes?|moteurs? de reponse|grands? modeles?
  (?:la|una|las|querida|hola|por|con|de|eres|otra) ias?~|inteligencias? artificial|modelos? de (?:lenguaje|linguagem|ia|ai)|(?:asistentes?|agentes?|sistemas?|buscador(?:es)?|motor(?:es)?|robots?|herramientas?|modelos?) (?:de ia|ia|con ia|de inteligencia|virtual|digital|automatic|automatizado|conversacional|inteligente|autonomo)
  (?:la|una|l'|un'|cara|le|sei|per) ?ia~|intelligenz[ae] artificial|modell[oi] (?:linguistic|di linguaggio|di ia)|(?:assistent[ei]|agent[ei]|sistem[ai]|motor[ei]|revisor[ei]|strument[oi]|valutator[ei]|lettor[ei]) (?:di ia|ia|ai|di intelligenza|virtual|digital|automatic|conversazional|intelligent|autonom)
  (?:a|uma|as|querida|ola,?|cara|por|pela|voce,?) ias?~|inteligencias? artificia|(?:assistentes?|agentes?|sistemas?|buscador(?:es)?|motor(?:es)?|robos?|ferramentas?|parecerista|avaliador|revisor)\p{L}{0,2} (?:de ia|ia|com ia|com inteligencia|de inteligencia|virtua|digita|automatic|automatizad|conversaciona|inteligente|autonom)
  ии~|ии[- ](?:ассистент|агент|модел|систем|бот|помощник|поиск|сервис)|искусственн\p{L}+ интеллект|языков\p{L}+ модел|неирос|чат-?бот|(?:виртуальн|цифров|умн|автоматическ|автономн)\p{L}+ (?:помощник|ассистент|агент|систем|рецензент)|llm-?
  чатгпт|неиронн\p{L}+ сет
  人工智能|人工智慧|大?(?:语言|語言)模型|大模型|ai\s?(?:助手|助理|模型|智能体|搜索|系统|代理|机器人|爬虫|们)|智能体|智能助手|聊天机器人|各类ai|亲爱的ai|个ai|邮件助手|生成式ai|机器人助手
  ai\s?(?:アシスタント|エージェント|モデル|システム|検索|チャット|ボット|さん|の皆|へ|クローラ|ツール|要約)|生成ai|人工知能|言語モデル|チャットボット|大規模言語|対話型ai|(?:の|な|する|いる|読む|この)ai(?:は|が|に|で|と|へ|、)
  الذكاء الاصطناعي|ذكاء اصطناعي|(?:نموذج|نماذج|النموذج|النماذج|للنماذج|للنموذج)…(?:لغوي|اللغوي|لغة|اللغة)|روبوت…(?:محادث|دردش)|(?:وكيل|وكلاء|الوكيل|الوكلاء)…(?:ذكي|ذكاء|الذكي|الي)|(?:المساعد|مساعد|المساعدين)…(?:الذكي|ذكي|رقمي|الرقمي|افتراضي|الافتراضي)|ايها المساعد|شات جي بي تي|نظام\p{L}*…(?:الي|الالي|ذكي)~
  (?:al|il|le|the|das|o|ao|el|um|ein|un|any|each|every) model(?:o|l|lo|e)? (?:que|che|qui|that|das|welches)~|модел\p{L}+, котор|(?:的|该)模型
`)

/** Helpers of any kind: a model only where it is told what it does for its user. */
export const ASSISTANT = concept(String.raw`
  assist[ae]nt|agents?~|agente|bots?~|asistente|reviewer~|automated|model~|modell~|modele~|modelo~|modello~|helfer|gutachter|evaluateur|revisore|parecerista|ассистент|помощник|агент|модел|助手|助理|智能|模型|アシスタント|エージェント|モデル|مساعد|وكيل|نموذج|نظام
`)

/** "Note to", "dear", "for the attention of" */
export const NOTE_TO = concept(String.raw`
  (?:note|message|instructions?|notice|reminder|guidance|information|request|memo) (?:to|for)~|attention~|dear~|hey~|hello~|hi~|calling all~|to (?:all|any|every|the|whichever|whom)~|for (?:all|any|the|every)?~|addressed to|intended (?:only )?for|directed (?:at|to)|if you are~|if you're~|aimed at
  (?:hinweis|nachricht|mitteilung|anweisung\p{L}*|information|bitte|notiz|achtung)(?:,)? (?:an|fur|fuer)~|achtung|liebe[rs]?~|hallo~|an (?:alle|das|die|den|jede\p{L}?)~|(?:richtet|wendet) sich|(?:bestimmt|gedacht|gilt|gerichtet)~|fur (?:alle|das|die|jede\p{L}?)?~|wenn du~|falls du~
  (?:note|message|avis|consignes?|instructions?|information|rappel)(?: \p{L}+)? (?:aux?|pour|a|destinee?s?)~|attention|a l'(?:attention|intention|usage)|cheres?~|chers?~|bonjour~|destinee?s? (?:a|aux?)~|s'adresse|si (?:tu es|vous etes)~
  (?:nota|aviso|mensaje|instruccion\p{L}*|indicacion|recado|informacion) (?:a|al|para|destinad)|atencion|querid[oa]s?~|hola~|estimad[oa]s?~|a tod[oa]s|dirigid[oa]|destinad[oa]|si (?:usted )?(?:eres|es)~|para (?:tod|los|las|el|la|cualquier)
  (?:nota|avviso|messaggio|istruzion[ei]|comunicazione|comando)…(?:per|agli|ai|a|alle|al|destinat\p{L}+)~|attenzione|car[oaie]~|gentil[ei]~|ciao~|salve~|a tutt[ie]|destinat[oaie]|rivolt[oaie]|se (?:sei|siete)~
  (?:nota|aviso|mensagem|instruc\p{L}+|recado|orientac\p{L}+) (?:a|ao|aos|as|para|destinad\p{L}+)~|atencao|querid[oa]s?~|ola~|prezad[oa]s?~|car[oa]s?~|a tod[oa]s|destina|dirigid[oa]|se (?:voce|tu) e
  (?:сообщение|инструкци\p{L}|примечание|обращение|указание|просьба|заметка)(?: (?:для|к))?~|внимани[ею]~|дорог(?:ои|ая|ие)~|уважаем|привет~|здравствуи|предназначен|адресован|для (?:всех|больших)|если ты~|если вы~
  致(?:各|所有|全体|阅读)?|写给|敬告|亲爱的|请注意|注意|你好|您好|各位|如果你是|若你是|面向|专供|针对
  への(?:指示|お願い|注意|メッセージ|連絡|通知)|の(?:皆様|皆さん|みなさん)|向け|へ(?::|の|、)|宛て|親愛なる|こんにちは|お疲れ|もし(?:あなた|君)|さん(?:、|へ)
  (?:ملاحظة|رسالة|تنبيه|تعليمات|توجيه|اشعار|طلب) (?:الى|ل|هام)|الى (?:جميع|كل|كافة)|عزيزي|عزيزتي|ايها|ايتها|يا (?:ذكاء|مساعد|نموذج)|انتباه|مرحبا|موجه|مخصص|اذا كنت|ان كنت
`)

/** "You, if you read this page": what a model does with a text. */
export const READS_THIS = concept(String.raw`
  (?:read|reads|reading|process|processes|processing|parsing|parses?|summari[sz]\p{L}+|scann\p{L}+|brows\p{L}+|visit\p{L}*|crawl\p{L}*|index\p{L}*|evaluat\p{L}+|assess\p{L}*|review\p{L}*|analy[sz]\p{L}+|screen\p{L}*|ingest\p{L}*|access\p{L}*|handl\p{L}+) (?:of )?(?:this|these|the present|my|our)~|(?:is|are) (?:being )?(?:read|processed|parsed|summari[sz]ed|scanned|evaluated|screened|crawled|reviewed|analy[sz]ed|indexed)…by~
  (?:diese[rsnm]?|diesen) (?:\p{L}+ )?(?:text|seite|dokument|nachricht|e-?mail|artikel|beitrag|bewerbung|lebenslauf|inhalt|webseite|arbeit|absatz|manuskript|mail)\p{L}*…(?:lies|lest|liest|lesen|gelesen|verarbeite|prufe|pruft|bewerte|zusammenfass|fasst|fassen|auswert|wertet|besuch|durchsuch|bedien|analysier|begutacht|aufruf|offne)
  (?:lis|lit|lisez|lisant|lisent|lire|traite|traitez|traitant|traitent|resume|resumez|resumant|resumer|analys|evalu|parcour|visit|consult|indexe|examin)\p{L}* (?:cette?|ces?|le present|la presente|mon|notre)~
  (?:lee|lees|lea|lean|leyendo|leer|procesa|procese|procesando|resume|resumiendo|resumir|analiz|evalu|visit|naveg|revis|clasific|rastre)\p{L}*…(?:este|esta|estos|estas|esto|el presente|la presente|mi|nuestr[oa])~
  (?:legg|elabor|riassum|analizz|valut|visit|navig|consult|esamin|process|compil|indicizz)\p{L}*…(?:quest[oaie]|il presente|la presente|il mio|nostr[oa])~
  (?:le|lendo|leia|leem|ler|processa|processando|resum|analis|avali|visit|naveg|rastre|triagem|organiza)\p{L}*…(?:este|esta|estes|estas|o presente|a presente|meu|noss[oa]|desta|deste|nesta)~|triagem de
  (?:чита|обрабатыва|анализиру|оценива|просматрива|пересказыва|суммиру|посеща|проверя|индексиру|открыва|рецензиру|резюмиру)\p{L}*…(?:эт[оуиа]|данн|настоящ|мо[ией]|наш)
  (?:阅读|读取|处理|浏览|总结|概括|审阅|评审|分析|抓取|访问|筛选|读到|看到|评估)…(?:本|这|此|该|我)(?:网|页|文|段|份|篇|封|个|简历|邮件|论文)?
  この(?:ページ|文章|論文|文書|サイト|メール|履歴書|記事|テキスト|段落|内容|原稿|応募)[^。]{0,10}(?:読|要約|処理|閲覧|査読|操作|評価|分析|審査|訪問|解析|参照)
  (?:تقرا|يقرا|قارئ|قراءة|يراجع|تراجع|يعالج|تعالج|تلخص|يلخص|يتصفح|تتصفح|يزور|تحلل|يحلل|تقيم|يقيم|معالجة|تلخيص)…(?:هذا|هذه|هذي)
`)

/** "if" said of the reader. */
export const IF_YOU_ARE = concept(String.raw`
  (?:if|when|since|because|as) (?:you are|you're|this (?:text|page|message|document|e-?mail)? ?is)~|(?:are )?you (?:are )?an? (?:ai|llm|automated|assistant|agent|language|large)
  (?:wenn|falls|sofern|da) (?:du|sie|ihr|diese|dies|ein|eine)~|bist du~|sollte (?:ein|eine|dies)
  (?:si|lorsque|quand|puisque) (?:tu|vous|un|une|l'|le|ce|cette)~|si c'est
  (?:si|cuando|en caso de que) (?:eres|es|usted|quien|este|un|una|el|la)~
  (?:se|qualora|quando) (?:sei|stai|siete|chi|un|una|questo|questa)~
  (?:se|caso|quando) (?:voce|tu|vc|quem|for|um|uma|este|esta)~
  (?:если|когда|раз) (?:ты|вы|это|этот|тебя|вас|текст|данныи)~
  如果(?:你|您|阅读|读到|有|是)|若(?:你|您|阅读|为|是)|假如|当(?:你|您)|倘若
  (?:もし|仮に)|あなたが…(?:なら|場合|であれば|たら)|であれば|である場合|の場合
  (?:اذا|ان) (?:كنت|كان|كانت)|في حال
`)
