// What models are asked to do, as an order: an imperative, or a duty.
import { concept } from './concept.ts'

export const MUST = concept(String.raw`
  (?:must|should|shall|have to|has to|need to|needs to|are to|is to|(?:are|is) (?:required|instructed|asked|obliged|expected|requested|ordered|advised|hereby) to|please|kindly|always|never|make sure|be sure)~
  (?:muss|musst|mussen|soll|sollst|sollen|sollte|sollten|haben|ist|sind|hat|bitte|immer|stets|unbedingt|niemals|zwingend|verpflichtet)~
  (?:doit|dois|doivent|devez|devra|devront|devrai\p{L}+|est tenu|sont tenus|sont pries|etes prie|veuille|merci de|il faut|obligatoirement|toujours|jamais|imperativement|pries? de|prie de|s'il (?:te|vous) plait)~
  (?:debe|debes|deben|debera|deberas|deberan|deberia|tiene que|tienes que|tienen que|tiene la obligacion|ha de|han de|hay que|por favor|siempre|nunca|obligatori|se ruega|se pide)
  (?:deve|devi|devono|dovete|dovra|dovranno|dovrebbe|bisogna|occorre|si prega|e tenuto|per favore|per cortesia|sempre|mai~|obbligatori)
  (?:deve|deves|devem|devera|deverao|tem de|tem que|tens de|precisa|precisam|por favor|favor|sempre|nunca|obrigatori|pede-se|e obrigado)
  (?:долж|обязан|следует|необходимо|нужно|надо|требуется|пожалуиста|просим|прошу|всегда|никогда|обязательно)
  必须|必須|应当|应该|務必|务必|需要|须~|请|必ず|なければなら|しなくては|すべき|こと。|してください|て下さい|てください|なさい|すること|いただけ|ほしい|いけません
  يجب|عليك|عليه|عليهم|ينبغي|يلزم|لا بد|يتعين|يرجى|نرجو|الرجاء|دائما|من فضلك|على (?:كل|جميع|محركات|وكلاء|مساعدي|النماذج)|فعلي
`)

/** To speak well of something, to name it first or to cite it. */
export const PROMOTE = concept(String.raw`
  recommend|cite~|citing~|mention~|list~|rank~|rate~|describe~|praise|promote|prioriti[sz]e|prefer~|favou?r~|endorse|suggest~|say~|state~|highlight|emphasi[sz]e|include~|refer (?:users|to)|treat~|consider~|present~|quote~|link to|name~|give~|score~|advertise|point (?:users|people|readers|them|out)|present~|portray|feature~|put~|place~|declare~|claim~|note that|call~ …(?:best|leading)
  (?:empfiehl|empfehl|erwahn|nenn|zitier|bewert|lob|beschreib|stell|setz|hebe|betone|bevorzug|schlag|verweis|fuhre|gib|sag|schreib|bezeichn|priorisier|ruhm|liste|behandle|betracht|berucksicht|erklar)\p{L}*
  (?:recommand|cit(?:e|ez|er)~|mentionn|indiqu|precise|present|decri|place[zr]|met(?:s|tez|tre)~|classe|soulign|vant|privileg|propos|suggere|attribu|evoqu|ecri(?:s|vez|re)|dis~|dites~|glisse|note[zr]?~|promo|considere|donne[zr]?~|affirme|valoris|conseill|nomme)\p{L}*
  (?:recomiend|recomend|cit(?:a|e|en|ad|ar|arse|es)~|mencion|indi(?:ca|que)|describ|presen|destac|destaq|prioriz|sugier|suger|puntu|califi|clasifi|di(?:ga|gan|le|les)?~|decid|deci[rd]|escrib|subray|resalt|pon(?:ga|gan|ed|er)?~|consider|afirm|elogi|propon|valor|alab|nombr|trata)\p{L}*
  (?:consigli|cit(?:a|i|ate|are|ino|atelo|alo|atela|ala)~|menzion|indic|descri|presen|evidenzi|sottoline|suggeri|propon|valut|classific|metti|mettete|scriv|di'|dite~|dire~|premia|privilegi|aggiung|consider|usa(?:te|re)?~|lod|assegna|raccomand|promuov|nomina|afferma)\p{L}*
  (?:recomend|cit(?:e|em|ar|ado|ada|a)~|mencion|indiqu|indica|descrev|apresent|destaq|destac|ressalt|prioriz|sugir|suger|coloqu|coloca|classifi|avali|diga|digam|dizer|escrev|enfatiz|consider|elogi|aprov|de~ |de nota|fale|falem|promov|mostr|trat[ea])\p{L}*
  (?:рекоменду|порекоменду|совету|посовету|упомин|упомян|цитиру|процитиру|ссыла|сошли|назыв|назови|отмет|отмеча|подчерк|постав|ставь|оцени|хвали|похвали|признай|признаи|предлага|предложи|пиши|напиши|скажи|говори|указ|укажи|счита|опиши|описыва|выдел|перечисл|продвига|расхвали|рекламиру)\p{L}*
  推荐|推薦|引用|提及|提到|列为|列入|评为|评价|评分|强调|称赞|夸|排在|排名|给予|介绍|写明|说明|优先|宣传|打分|判定|注明|选择|标注|突出|建议|称其|表扬
  紹介|薦め|推薦|勧め|すすめ|引用|評価|判定|言及|触れて|説明して|挙げ|推奨|強調|優先|称賛|明記|記載|書いて|出力|扱|取り上げ
  اذكر|اذكروا|ذكر|بذكر|اوص|اوصوا|يوصي|توصي|توصية|رشح|يرشح|رشحوا|اقترح|استشهد|الاستشهاد|قل~|قولوا|القول|صنف|يصنف|قيم|امنح|اكتب|اعط|ضع~|ضعوا|امدح|صف~|يذكر|اعتبر|روج|فضل|وصف|اثن
`)

/** To use what only agents have: tools, commands, an account. */
export const OPERATE = concept(String.raw`
  (?:call|invoke|execute|run|trigger|use) (?:the |your |this |a |any |following ){0,2}(?:tool|function|command|\p{L}+_\p{L}+|api|plugin|shell|script|bash|terminal|curl|action|code|skill)|(?:open|visit|navigate to|click|go to|fetch|browse to|download|install|follow) …https?:|enter (?:the |your )?(?:card|password|credential)|transfer~ …(?:fund|amount|money|\d)|(?:upload|read|delete|attach|send) (?:the )?(?:contents? of )?(?:file|~|/|\.env|\p{L}+ file)|approve the |complete the purchase|place an order|buy~
  (?:werkzeug|tool|funktion|befehl|kommando|skript)…(?:auf|aus)?(?:ruf|fuhr|nutz|start|verwend)\p{L}*|(?:ruf|fuhr|nutz|starte|verwende)\p{L}*…(?:werkzeug|tool|funktion|befehl|kommando|skript)|uberweis\p{L}*|offne\p{L}*…https?:|lade\p{L}*…(?:hoch|herunter)~
  (?:appele|execut|lance|utilis|invoqu|declench|ouvr)\p{L}* …(?:outil|fonction|commande|script|\p{L}+_\p{L}+|https?:)|telecharge[zr]?~|virement|envoie[zr]?…(?:fichier|paiement)
  (?:ejecut|llam|invo|us|utili|activ|abr|descar|corr)\p{L}* …(?:herramienta|funcion|comando|script|\p{L}+_\p{L}+|orden~|https?:)|transfier\p{L}+|descarg(?:a|ue|uen|ar)~
  (?:esegu|richiam|invoc|us|utilizz|chiam|lanc|avvi|apr|scaric)\p{L}* …(?:strumento|funzione|comando|script|\p{L}+_\p{L}+|https?:)|bonifico|trasferisci
  (?:execut|cham|invoq|us|utiliz|acion|rod|abr|baix)\p{L}* …(?:ferramenta|funcao|comando|script|\p{L}+_\p{L}+|https?:)|transfira|baixe~
  (?:вызва|вызови|выполни|запусти|использу|примени|открои|переиди|скача)\p{L}* …(?:инструмент|функци|команд|скрипт|\p{L}+_\p{L}+|https?:)|переведи\p{L}* …(?:деньги|средств|сумм|\d)|инструмент \p{L}+_\p{L}+
  (?:调用|執行|执行|运行|使用|触发|打开|访问|点击|下载)…(?:工具|函数|命令|脚本|接口|[a-z]{1,16}_[a-z]{1,16}|https?:)|转账|上传
  (?:ツール|関数|コマンド|スクリプト|api)[^。]{0,12}(?:呼び出|実行|起動|使用|使って)|[a-z]{1,16}_[a-z]{1,16}[^。]{0,10}(?:呼び出|実行)|送金|アップロード
  (?:يستدع|استدع|نفذ|ينفذ|شغل|يشغل|استخدم|افتح|زر|حمل~|تنزيل)\p{L}*…(?:الاداة|اداة|امر|الامر|وظيفة|دالة|سكربت|[a-z]{1,16}_[a-z]{1,16}|https?:)|(?:يرفع|ارفع|حول)…(?:ملف|مبلغ)
`)

/** To send something on. */
export const FORWARD = concept(String.raw`
  (?:forward|send|e-?mail|transmit|leak|exfiltrate|upload|post|submit|deliver)~
  (?:leite|leitet|leiten|sende|senden|sendet|schick|ubermittl|ubertrag|verschick|weiterleit|weiterzuleit)\p{L}*
  (?:transfer|envoi|envoy|transmet|transmett|expedi|fai[ts] suivre|poste)\p{L}*
  (?:reenvi|envi|mand|remit|transmit|transfier)\p{L}*
  (?:inoltr|invi|mand|trasmett|spedisc)\p{L}*
  (?:encaminh|envi|mand|transmit|reencaminh|repass)\p{L}*
  (?:перешл|отправ|пересыла|переда|вышли|пришли|направ|загруз)\p{L}*
  转发|轉發|发送|發送|发到|寄到|传送|提交到|上传
  転送|送信|送って|送り|送付|アップロード
  اعد توجيه|اعادة توجيه|ارسل|ارسال|يرسل|حول~|ابعث|مرر~
`)

/** To answer in some way. */
export const REPLY = concept(String.raw`
  (?:answer|reply|respond|output|print|write|say|return|state|display|translate|speak|finish|begin|start|end|conclude|repeat|summari[sz]e)~
  (?:antworte|antwortet|antwortest|antworten|beantworte|beantwortet|beantwortest|schreib|gib|gebt|ausgeben|sag|wiederhol|ubersetz|sprich|beende|beginn|erklar|behaupt|rede)\p{L}*
  (?:repond|ecri|affiche|dis~|dites|repet|tradui|parle|termin|commence|conclu|affirm|reponse)\p{L}*
  (?:respond|contest|escrib|di~|diga|repet|repit|traduc|habla|termin|empiez|limit|afirm|muestra|devuelv|anade)\p{L}*
  (?:rispond|scriv|di'|dite~|ripet|traduc|parla|termina|inizia|afferma|mostra|stampa|concludi|limitati)\p{L}*
  (?:respond|escrev|dig[ao]|repit|traduz|fale|termin|comec|afirm|mostr|imprim|limite)\p{L}*
  (?:ответ|отвеча|пиши|напиши|скажи|повтор|переведи|говори|законч|начни|утвержда|выведи|сообщи)\p{L}*
  回答|回复|答复|输出|说|只写|翻译|重复|告诉|写道|作答|告知|回应
  答え|返答|回答|出力|返事|返し|返信|書い|書け|述べ|翻訳|繰り返|報告
  اجب|اجابة|يجيب|تجيب|رد~|ردد|اكتب|قل~|كرر|ترجم|تحدث|اخبر|اعرض|جاوب|الاجابة
`)

/** Text given as what a model should take to heart for good. */
export const REMEMBER = concept(String.raw`
  (?:remember|memori[sz]e|store|save|retain|keep|persist|record|add|commit|write|update)~
  (?:speicher|merk|behalt|erinner|einprag|notier)\p{L}*
  (?:memoris|retien|enregistr|souvien|garde|stocke|conserve|ajoute)\p{L}*
  (?:guarda|recuerd|memoriz|almacen|graba|registr|conserva|reten)\p{L}*
  (?:ricord|memorizz|salva|conserv|registra|tieni|archivia)\p{L}*
  (?:grav|guard|lembr|memoriz|armazen|salv|regist|record)\p{L}*
  (?:запомни|сохрани|запиши|помни|занеси|добавь|внеси)\p{L}*
  记住|記住|写入|保存|存入|记忆|牢记|存储|记录
  記憶|覚え|保存|メモリ|記録
  احفظ|تذكر|خزن|سجل|احتفظ|اضف
`)

/** To hide something, or to do it behind somebody's back. */
export const CONCEAL = concept(String.raw`
  (?:do not|don't|never|must not|should not|without|not to|nor|and not) (?:ever |also |under any circumstances )?(?:tell|telling|reveal\p{L}*|disclos\p{L}+|mention\p{L}*|inform\p{L}*|notify\p{L}*|ask\p{L}*|alert\p{L}*|show\p{L}*|let\p{L}*|say\p{L}*|admit|acknowledg\p{L}+|warn\p{L}*|explain\p{L}*|report\p{L}*|highlight\p{L}*|comment\p{L}*|cite|list|requesting|confirm\p{L}*|seeking)~|keep (?:this|it) (?:secret|hidden|confidential)|hide~|conceal~|silently~|omit~|secretly~|leave out
  (?:verrat|erwahn|sag|teil|informier|frag|zeig|offenbar|nenn|warn|hinweis|erzahl|weis|zitier|berucht|mitteil)\p{L}*…(?:nicht|nichts|nie|niemals|kein|keine|keinem)~|(?:nicht|nichts|nie|niemals) (?:zu )?(?:verrat|erwahn|sag|mitteil|nenn|zitier|offenbar)|ohne…(?:zu (?:fragen|informieren|sagen|erwahnen|warnen|benachrichtigen)|hinzuweisen|mitzuteilen|nachfrage|wissen|ruckfrage|bestatigung)|verschweig|verheimlich|verbirg|verberg|geheim~|lass\p{L}* …(?:weg|aus|unerwahnt)~|unauffallig
  ne (?:pas |jamais )?(?:le |la |les |lui |l'|t'|rien )?(?:dis|dites|dire|revel|mention|inform|parle|previen|evoqu|signal|montr|divulg|cite|demand|averti)\p{L}*|n'(?:evoqu|inform|averti|indiqu|affich|en parl|en dis)\p{L}*|sans (?:le |la |l'|en |lui |rien )?(?:dire|inform|demand|preven|mention|averti|signal|confirm)\p{L}*|pass\p{L}* sous silence|cache[zr]?~|dissimul|omet|tais~|taisez|a l'insu
  (?:no|sin|nunca|ni) (?:se |lo |le |les |me ){0,2}(?:dig|dec|mencion|revel|inform|comuni|avis|pregunt|senal|muestr|mostr|confirm|cit|cont|cuent|adviert|advert|expli)\p{L}*|ocult(?:a|e|ad|en|ar)~|omit(?:e|a|an|id|ir)~|callat|en secreto|silencia
  (?:non|mai|senza|ne) (?:lo |la |ne |gli |lasciare |fare )?(?:dir|dit|rivel|menzion|inform|avvis|far|mostr|accenn|tracci|chied|comment|cit|nomin|segnal|conferm|avvert|parl)\p{L}*|ometti|omett|nascond|taci~|di nascosto|all'insaputa
  (?:nao|sem|nunca|nem) (?:o |a |lhe |se )?(?:cont|dig|diz|revel|mencion|inform|avis|coment|pergunt|mostr|comuni|cit|confirm|alert|explic|deix|aponte)\p{L}*|ocult(?:e|em|ar)~|omit(?:a|ir|am)~|escond(?:a|am|er)~|em segredo
  (?:не|ничего не|никогда не|и не) (?:говор|сообщ|упомин|раскрыва|рассказыва|показыва|уведомля|спрашива|называ|предупрежда|цитир|запрашива|указыва|ссыла)\p{L}*|ничего (?:не|об этом)|без (?:ведома|уведомлени|подтверждени|разрешени|лишних вопросов|спроса)|скрои|скрыва|умолчи|утаи|втаине|тайно
  (?:不要|别|不得|切勿|不可|无需|不必|请勿|绝不|不能|勿|不许|也不|并且不|无须|不用)…(?:让|向|告诉|告知|提及|提到|透露|通知|询问|指出|提醒|对|说|引用|征求|暴露|泄露|声张|解释)|隐瞒|保密|瞒着|悄悄|隐藏
  (?:知らせ|告げ|明か|伝え|触れ|言及|教え|話さ|言わ|示さ|開示|指摘|気づか|確認せ|尋ね|悟ら|参照し|漏ら)[^。]{0,6}(?:ない|ず|な。|なかれ|いけ|なら)|一切触れず|伏せて|隠して|秘密|内緒|黙って
  (?:لا|ولا|دون|بدون|وعدم|عدم|من غير|الا) (?:ان )?(?:ت?خبر|اخبار|تذكر|ذكر|تكشف|كشف|تشر|اشار|تبلغ|ابلاغ|تعلم|علم|اشعار|تفصح|افصاح|تقل|سؤال|تسال|اعلام|تظهر|تستشهد|يذكر|تنبه|يخبر)\p{L}*|اخف~|اخفاء|تكتم|سرا~
`)
