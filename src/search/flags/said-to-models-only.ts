// Things that are spoken of where a model is given orders, and seldom together elsewhere.
import { concept } from './concept.ts'

/** The person for whom a model works, as a third one. */
export const USER = concept(String.raw`
  (?:the|your|this|a|that) (?:end[- ])?users?(?:'s)?~|users~|the (?:human|person|reader|recipient|customer|operator|owner)(?:'s)?~
  (?:de[mnsr]|die|einen?|deine[mnr]?|eure[mn]?) (?:be)?nutzer\p{L}*|nutzer\p{L}*~|benutzer\p{L}*|de[mnr] (?:anwender|leser|empfanger|menschen)\p{L}*
  (?:l'|d'|aux? |les |des |ton |votre )utilisat(?:eur|rice)s?|(?:au|le|aux) (?:lecteur|destinataire|client)s?~
  (?:al|el|del|los|las|tu|su|a la) usuari[oa]s?|(?:al|del) (?:lector|destinatario|propietario)~
  utent[ei]~|(?:al|il|ai) (?:lettor[ei]|destinatario)~|all'utente
  (?:ao|o|do|aos|os|seu|teu) (?:usuario|utilizador|leitor|destinatario)s?~
  пользовател|(?:читател|владельц|адресат|получател|человек)\p{L}+
  用户|用戶|使用者|读者|收件人
  ユーザー|利用者|読者
  المستخدم|مستخدم|للمستخدم|القارئ|المتلقي
`)

/** What a model writes. */
export const ANSWER = concept(String.raw`
  your (?:\p{L}{1,12} )?(?:answers?|responses?|repl(?:y|ies)|outputs?|summar(?:y|ies)|reviews?|evaluations?|reports?|messages?)~|(?:the|every|each|any|all|final) (?:\p{L}{1,10} )?(?:answers?|response|reply|summary|output)~|(?:answering|responding|replying|summari[sz]ing|summari[sz]e)~
  (?:deine[rnm]?|eure[rnm]?|ihre[rnm]?|der|jede[rn]?|die) (?:\p{L}{1,12} )?(?:antwort|zusammenfassung|ausgabe|bewertung|fazit)\p{L}*|beim (?:antworten|zusammenfassen)
  (?:ta|tes|votre|vos|ton|la|toute|chaque) (?:reponse|resume|synthese|sortie|compte rendu)s?~|en resumant
  (?:tu|tus|su|sus|la|vuestra|cada|el) (?:respuesta|resumen|contestacion|sintesis|informe)s?~|al (?:resumir|responder)
  (?:tua|vostra|nella|alla|la|della|ogni|tuo|vostro|nel|il) (?:tua |vostra |tuo )?(?:risposta|risposte|sintesi|riassunto|riepilogo)~|nel (?:rispondere|riassumere)
  (?:sua|suas|tua|na|a|cada|seu|no|o) (?:resposta|resumo|sintese|respostas)~|ao (?:resumir|responder)
  (?:сво|тво|ваш|кажд|люб)\p{L}+ (?:ответ|пересказ|обзор|итог|вывод|резюме|отзыв|сводк)\p{L}*|в (?:конц\p{L}+ |нача\p{L}+ )?(?:ответ|пересказ|сводк)\p{L}+|ответа~
  (?:你|您)?的?(?:回答|回复|答复|总结|摘要|输出|答案|概要)(?:的?末尾|中|里|结尾|的最后|最后|时|开头|之前|前)
  (?:回答|返答|要約|出力|返信|応答|レビュー)(?:の|に|で|時|する際|内)
  اجابتك|اجاباتك|ردك|ردودك|ملخصك|تلخيصك|(?:نهاية|بداية|في) (?:ال)?(?:اجاب|رد|ملخص)|الاجابة|عند (?:التلخيص|الاجابة)
`)

/** Data that a talk with a model, its user or a mailbox holds. */
export const PRIVATE_DATA = concept(String.raw`
  (?:conversation|chat|message|dialogue|session)(?:'s)? (?:history|log|transcript|so far|data|content)|(?:the|this|whole|entire|our|your) (?:conversation|chat|context window|transcript)~|user'?s? (?:\p{L}{1,10} )?(?:data|messages?|prompts?|query|queries|question|name|e-?mails?|files?|inputs?|history|credentials?|passwords?|personal|information)|last (?:\p{L}{1,6} )?messages?~|personal (?:data|details|information)|api[- ]?keys?~|(?:verification|one-time|2fa|access|recovery|confirmation) (?:codes?|tokens?)|passwords?~|credentials?~|inbox|mailbox|contacts?~|\.ssh|\.env~|/etc/passwd|cookies? of|bank statements?|attachments?~|invoices~|secrets?~|calendar~
  gesprachsverlauf|chatverlauf|(?:gesprach|unterhaltung|konversation|dialog)\p{L}*|(?:daten|nachricht\p{L}*|eingabe\p{L}*|frage\p{L}*|name\p{L}*) des (?:be)?nutzers|personliche\p{L}? daten|passwort|passworter|kennwort|zugangsdaten|postfach|posteingang|kontakte~|kontoausz|rechnungen~|anhang|anhange
  (?:conversation|discussion|echange|historique)s?~|donnees (?:personnelles|de l'utilisateur)|mots? de passe|identifiants|boite (?:de reception|mail)|codes? (?:de verification|d'acces)|releves? bancaires?|contacts~|pieces? jointes?|cles? api
  (?:conversacion|chat|historial|dialogo)\p{L}*|datos (?:personales|del usuario)|contrasenas?|credenciales|bandeja de entrada|correos? del usuario|codigos? de (?:verificacion|acceso)|contactos~|facturas~|adjuntos~|clave api
  (?:conversazion|chat~|cronologia|dialog)\p{L}*|dati (?:personali|dell'utente)|tutto cio che l'utente|password~|credenziali|posta in arrivo|casella|codici di (?:verifica|accesso)|contatti~|allegati~|fatture~
  (?:conversa|chat~|historico|dialogo)\p{L}*|dados (?:pessoais|do usuario|do utilizador)|senhas?~|credenciais|caixa de entrada|codigos? de (?:verificacao|acesso)|contatos~|anexos~|faturas~|(?:nome|e-?mail)…do (?:usuario|utilizador)
  переписк|диалог|беседы~|разговор|истори\p{L}+ (?:чата|сообщени|переписк)|(?:данны|сообщени|запрос|вопрос|имя|адрес)\p{L}* пользовател|личны\p{L}+ данны|парол|почтов\p{L}+ ящик|код\p{L}* (?:подтверждени|доступа)|выписк|контакт\p{L}+~|вложени|входящ|cookies|куки|всё, что (?:писал|сказал|спрашивал)|все, что (?:писал|сказал|спрашивал)
  对话(?:内容|记录|历史)?|聊天记录|会话|用户(?:的|刚才|之前|所)?(?:输入|数据|信息|姓名|问题|消息|密码|邮箱|隐私)|密码|验证码|收件箱|通讯录|个人信息|密钥|凭证|账单|附件|上下文
  会話(?:の|履歴|内容)?|対話(?:の|履歴)|チャット履歴|ユーザーの(?:入力|データ|名前|質問|メール|個人|設定|情報|発言)|個人情報|パスワード|認証コード|受信トレイ|受信箱|連絡先|apiキー|請求書|添付
  المحادثة|محادثة|المحادثات|سجل الدردشة|بيانات المستخدم|(?:كتبه|قاله|ادخله) المستخدم|البيانات الشخصية|كلمات? (?:ال)?(?:مرور|سر)|كلمة (?:ال)?(?:مرور|سر)|رموز? التحقق|رمز التحقق|صندوق (?:ال)?(?:وارد|بريد)|بريد المستخدم|جهات الاتصال|مفتاح
`)

/** Where such data is to go. */
export const ADDRESS = concept(String.raw`
  https?:|www\.|!\[|\]\(|markdown|url~|url-encoded|webhook|endpoint
  (?:this|following|the) (?:e-?mail )?address|folgende\p{L}? adresse|adresse suivante|siguiente direccion|seguente indirizzo|seguinte endereco|следующ\p{L}+ адрес|по адресу
  下列地址|以下地址|次のアドレス|العنوان التالي
`)
export const MAIL_ADDRESS = concept(String.raw`
  [\p{L}\p{N}._-]{1,40}@[\p{L}\p{N}-]{1,40}\.
`)
export const DELETE = concept(String.raw`
  (?:delete|erase|remove|trash|wipe)~
  losch\p{L}*|entfern\p{L}*
  supprim\p{L}*|efface\p{L}*
  elimin\p{L}*|borr\p{L}*
  cancell\p{L}*|elimin\p{L}*
  apag\p{L}*|exclu\p{L}*|marque\p{L}*
  удали|сотри|удалить
  删除|刪除|清空|标为已读
  削除|消去
  احذف|امسح|حذف
`)
/** To add to what is written. */
export const APPEND = concept(String.raw`
  (?:append|add|insert|include|attach|end|finish|conclude|place|put|embed|render|replac\p{L}+|encod\p{L}+|substitut\p{L}+|followed by|display|show)~
  (?:fuge|fugt|hang|setz|binde|ersetz|beende|erganz|zeig|bau|anhang|anfug|einfug|hinzufug)\p{L}*
  (?:ajout|inser|termin|inclu|plac|conclu|affich|complet|integr|remplac|suivi|fini)\p{L}*
  (?:anad|anade|agreg|inclu|insert|termin|pon~|coloc|adjunt|finaliz|concluy|muestra|seguid)\p{L}*
  (?:aggiung|inseri|inclu|termin|allega|conclud|metti|seguit|accod)\p{L}*
  (?:acrescent|inclu|adicion|insir|inser|termin|coloqu|anex|finaliz|seguid)\p{L}*
  (?:добав|вставь|вставля|включи|подставь|прикрепи|закончи|заверши|помести|допиши)\p{L}*
  加上|附上|添加|插入|拼接|追加|附加|嵌入|写入|替换|包含
  付け加え|追加|挿入|入れ|添え|埋め込|付け|含め|付加
  اضف|ادرج|ضع~|الحق|ارفق|اختم|متبوع|ضمن
`)
export const LINK = concept(String.raw`
  links?~|images?~|hyperlinks?~|urls?~|https?:|!\[|\]\(|pixel
  verknupfung|grafik|bild~|liens?~|enlaces?~|imagen|immagin|collegament|imagem|ссылк|картинк|изображени
  链接|連結|图片|网址
  リンク|画像
  رابط|الرابط|صورة|الصورة
`)
export const BASE64 = concept(String.raw`
  base-?64|rot-?13|hex-?encoded|in hex~|hexadecimal|encoded~|codiert|kodiert|verschlusselt|encode[es]?~|chiffre|codificad|cifrad|codificat|cifrat|criptografad|закодирован|зашифрован|encoding~
  编码|編碼|加密
  符号化|エンコード|暗号化
  مشفر|ترميز
`)
export const DECODE = concept(String.raw`
  decod(?:e|ez|er|ing)~|decipher|decrypt|unscrambl
  entschlussel|dekodier|decodier|entziffer
  decod(?:e|ez|er)~|dechiffr|decrypt
  descifr|decodif|descodif
  decodif|decifr|decript
  decodif|decifr|descriptograf|descodif
  расшифру|декодиру|раскодиру
  解码|解碼|解密|译码
  復号|デコード|解読
  فك (?:ال)?(?:تشفير|ترميز|شفر)|(?:فك|حل) (?:ال)?شفر
`)
/** To do what a text says. */
export const OBEY = concept(String.raw`
  (?:follow|obey|execute|carry out|do (?:what|it|so|as)|perform|comply|act on|run|apply|treat)~
  (?:befolg|fuhre|fuhr|ausfuhr|auszufuhr|gehorch|umsetz|setze|handle|tu,? was)\p{L}*
  (?:execut|appliqu|suis~|suivez|suivre|obei|fais ce|faites ce|effectu|realis)\p{L}*
  (?:ejecut|obedec|obedez|sigue|sigan|siga~|seguid|cumpl|realiz|haz lo|hagan lo|aplic)\p{L}*
  (?:esegui|segui|seguit|obbedi|applica|fai quello|fate quello|compi)\p{L}*
  (?:execut|siga|sigam|seguir|obede|cumpr|aplique|faca o que)\p{L}*
  (?:выполн|исполн|следуи|следуите|сделаи|повину|действу)\p{L}*
  执行|遵照|遵循|照做|按照|服从|听从|遵守
  従っ|従い|従え|実行|遂行
  نفذ|ينفذ|اتبع|اتبعوا|طبق|اطع|التزم|تنفيذ
`)
/** "in all future conversations" */
export const FOR_GOOD = concept(String.raw`
  (?:future|subsequent|later|all|every|next) (?:\p{L}{1,10} )?(?:conversation|chat|session|interaction|repl|answer|response|quer|discussion)|permanent|(?:your|long-?term|persistent) memory|to memory~|forever~|from now on|for all time|in memory
  (?:kunftig|zukunftig|alle|jede|weitere|nachst|spater)\p{L}* (?:\p{L}{1,12} )?(?:unterhaltung|gesprach|chat|sitzung|antwort|konversation|anfrage)|dauerhaft|gedachtnis|fur immer|langzeit
  (?:futures?|prochaines?|toutes|chaque) (?:tes |vos |les )?(?:futures? |prochaines? )?(?:discussion|conversation|session|reponse|echange)|memoire|pour toujours|a jamais|durablement|de facon permanente
  (?:futur|proxim|todas|cada|siguient)\p{L}* (?:las |tus )?(?:futuras |proximas )?(?:conversacion|sesion|respuesta|chat|interaccion)|memoria|para siempre|permanente
  (?:futur|prossim|tutte|ogni|successiv)\p{L}* (?:le |tue )?(?:future |prossime )?(?:conversazion|chat|session|rispost|interazion)|memoria|per sempre|permanente|a lungo termine
  (?:futur|proxim|todas|cada|seguint)\p{L}* (?:as |suas )?(?:futuras |proximas )?(?:conversa|sess|respost|chat|interac)|conversas (?:futuras|seguintes)|memoria|para sempre|permanente|longo prazo
  (?:будущ|следующ|последующ|дальнейш|всех|кажд)\p{L}* (?:\p{L}{1,12} )?(?:диалог|беседах|разговор|сесси|ответ|чат|общени)|памят|навсегда|постоянно|долговременн
  (?:今后|以后|未来|之后|所有)的?(?:所有)?(?:对话|会话|回答|聊天)|长期记忆|永久|永远|记忆(?:中|里|库)
  (?:今後|以降|将来|すべて|次回)の?(?:すべての)?(?:会話|対話|回答|チャット|セッション)|長期記憶|永久|永続|メモリ|記憶に
  (?:محادثة|محادثات|المحادثات|جلسة|الجلسات|الردود)…(?:قادمة|القادمة|مستقبل\p{L}*|المقبلة|التالية)|كل محادثة|ذاكرتك|الذاكرة|دائم~|الى الابد
`)
/** This page, or the first place, which a model is asked to give it. */
export const THIS_FIRST = concept(String.raw`
  this (?:page|article|site|website|guide|study|post|source|product|company|brand)|first~|at the top|top of|primary|authoritative|most trusted|official~|number one|only source|our (?:shop|site|store|product|company|brand|page)
  (?:diese[rsn]?) (?:seite|artikel|beitrag|quelle|webseite|anbieter)|an erster stelle|zuerst|maßgeblich|erste\p{L}? quelle|unser\p{L}*~|hauptquelle
  (?:cette|cet|ce) (?:page|article|site|source|guide|produit)|en premier|reference principale|source principale|notre~|officielle
  (?:esta|este) (?:pagina|articulo|sitio|web|estudio|guia|fuente|producto)|primer|principal|mas fiable|nuestr[oa]~|oficial
  (?:questa|questo) (?:pagina|articolo|sito|guida|studio|fonte|prodotto)|per prim|principale|autorevole|nostr[oa]~|ufficiale
  (?:esta|este) (?:pagina|artigo|site|guia|estudo|fonte|produto)|primeiro|topo|principal|oficial|noss[oa]~
  (?:эт[уоаи]\p{L}{0,3}) (?:страниц|стать|саит|материал|источник|товар)|перв(?:ои|ым|ую|ыи|ое)~|основн\p{L}+ источник|наш(?:у|его|и|ем|а)?~|официальн
  本(?:文|页|站|网|店|品牌)|首位|第一|权威|官方|我们的|优先
  本(?:記事|ページ|サイト|商品)|最初|第一|筆頭|公式|当(?:社|店|サイト|院)|権威
  هذه (?:المقالة|الصفحة)|هذا (?:المقال|الموقع|المنتج)|اولا|المصدر|الرسمي|الرئيسي|موقعنا|متجرنا
`)
