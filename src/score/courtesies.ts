// Words people put around a question that add nothing to it, by language: greetings, requests, thanks, asides. A pattern
// has places in order, divided by "+", each with its words, divided by "|"; an empty one leaves the place out.

/** What opens a message. It counts only where a mark or a request follows: "hello world" is a subject. */
export const GREETINGS: readonly string[] = [
  'hi|hello|hey|hiya|greetings|good morning|good evening|dear +|all|everyone|everybody|folks|guys|there|team|community',
  'hallo|hi|hey|moin|servus|guten tag|guten morgen|guten abend|liebe +|zusammen|leute|alle|ihr lieben|community',
  'bonjour|salut|bonsoir|coucou +|à tous|tout le monde|à toutes et à tous',
  'hola|hola buenas|buenas|buenos días|buenas tardes|buenas noches +|a todos|gente',
  'ciao|salve|buongiorno|buonasera +|a tutti|ragazzi',
  'olá|oi|bom dia|boa tarde|boa noite +|a todos|pessoal|gente',
  'hallo|hoi|goedemorgen|goedemiddag|goedenavond|dag +|allemaal|iedereen',
  'hej|hejsan|god dag|hei +|alla|allihopa|alle',
  'cześć|hej|dzień dobry|witam +|wszystkim|wszystkich',
  'привет|здравствуйте|добрый день|доброе утро|добрый вечер +|всем|друзья',
  'merhaba|selam|selamlar|iyi günler +|arkadaşlar|herkese',
  '你好|您好|大家好|各位好|こんにちは|こんばんは|はじめまして|안녕하세요|여러분 안녕하세요',
]

/** What announces a question; a subject, too, where no mark follows: "quick question generator". */
export const ANNOUNCEMENTS: readonly string[] = [
  '|just a|a + quick|short|simple|stupid|dumb + question|q',
  'question|serious question|newbie here|noob question|sorry|excuse me|please help|help',
  '|eine|nur eine|mal eine + kurze|schnelle|blöde|dumme + frage',
  'frage|entschuldigung|bitte um hilfe|une petite question|petite question|question rapide|question bête',
  '|una + pregunta rápida|duda rápida|consulta rápida|preguntita|domanda veloce',
  '|uma + pergunta rápida|dúvida rápida',
  'disculpen|perdón|scusate|korte vraag|even een vraagje|snabb fråga|szybkie pytanie',
  'вопрос|короткий вопрос|подскажите пожалуйста|kısa bir soru|急|在线等|質問です|질문 있습니다',
]

/** What asks to be told: it says nothing of the subject wherever it opens a question. */
export const REQUESTS: readonly string[] = [
  'can|could|would|will + you|anyone|anybody|someone|somebody|you guys +|please|kindly|maybe' +
    '+ tell me|tell us|explain|explain to me|help me understand|help me find out|let me know',
  '|please|pls + tell me|explain to me|help me understand',
  "i'm|i am|i was|was|just +|just + wondering",
  "i'd|i would|what i'd|what i would + like|love + to know|to know is",
  'i want to know|i need to know|i wanted to ask|does anyone know|does anybody know|do you know|any idea',
  'anyone know|anybody know|do you happen to know|would you happen to know',
  'kann|könnte|kannst|könntest|können|könnten +|du|sie|jemand|wer +|mir|uns +|bitte|mal|kurz' +
    '+|jemand|einer|wer + sagen|erklären|verraten',
  'weiß|weiss + jemand|hier jemand|wer|zufällig jemand',
  'ich + wüsste|würde|möchte + gern|gerne|gern mal|gerne mal +|wissen',
  'ich wollte fragen|ich frage mich|sag mir bitte|wisst ihr|habt ihr eine ahnung',
  "pouvez-vous|pourriez-vous|peux-tu|pourrais-tu|quelqu'un peut|quelqu'un pourrait" +
    "+|s'il vous plaît|s'il te plaît|svp + me dire|m'expliquer|nous dire",
  "est-ce que quelqu'un sait|quelqu'un sait|je voudrais savoir|j'aimerais savoir|je me demande",
  '|alguien|por favor + podrías|podrían|puedes|pueden|me puede|me podría|puede|podría + decirme|decir|explicarme',
  'alguien sabe|alguno sabe|saben|quisiera saber|me gustaría saber|quería preguntar',
  'qualcuno sa|sapete|potete dirmi|qualcuno può dirmi|qualcuno mi sa dire|vorrei sapere',
  'alguém sabe|vocês sabem|alguém pode me dizer|pode me dizer|gostaria de saber|queria saber',
  'weet iemand|kan iemand mij vertellen|kunt u mij vertellen|kun je me vertellen|ik vroeg me af',
  'vet någon|kan någon berätta|jag undrar|czy ktoś wie|czy może mi ktoś powiedzieć',
  'кто знает|кто-нибудь знает|подскажите|скажите|скажите пожалуйста|хотел бы узнать',
  'bilen var mı|söyler misiniz|merak ediyorum|请问|请问一下|想问一下|想请教一下|有谁知道|求助',
  'すみません|お聞きしたいのですが|教えてください|혹시 아시는 분|궁금한 게 있는데|질문이 있는데요',
]

/** What closes a message; without a mark before it only where the word before does not make it a subject. */
export const THANKS: readonly string[] = [
  'thanks|thx|thank you|thank u|ty|many thanks|cheers|tia|appreciate it' +
    '+|a lot|so much|very much|in advance|a bunch|a million|all|guys|everyone',
  'please|pls|plz|please help|please and thank you|if possible|any help appreciated',
  'danke|vielen dank|dank|besten dank|dankeschön +|schön|im voraus|euch|vorab',
  'bitte|bitte um hilfe|lg|mfg|viele grüße|liebe grüße|grüße',
  "merci|merci beaucoup|merci bien +|d'avance|à tous|pour votre aide",
  "s'il vous plaît|s'il te plaît|svp|stp|cordialement",
  'gracias|muchas gracias|mil gracias +|de antemano|a todos|por adelantado',
  'por favor|porfa|porfavor|saludos|un saludo|grazie|grazie mille|grazie in anticipo|per favore|per piacere',
  'obrigado|obrigada|muito obrigado|muito obrigada|desde já obrigado|valeu',
  'bedankt|alvast bedankt|dank u|dank je wel|alsjeblieft|graag|tack|tack på förhand',
  'dzięki|dziękuję|z góry dziękuję|proszę|спасибо|заранее спасибо|спасибо заранее|пожалуйста|благодарю',
  'teşekkürler|teşekkür ederim|lütfen|şimdiden teşekkürler',
  '谢谢|谢谢大家|多谢|感谢|拜托了|求解答|ありがとうございます|よろしくお願いします|お願いします|教えてください',
  '감사합니다|고맙습니다|부탁드립니다|부탁드려요',
]

/** What is told beside a question; only behind a mark. */
export const ASIDES: readonly string[] = [
  "asking for a friend|just curious|just wondering|i'm new here|newbie here|no rush|urgent|it's urgent|asap",
  '|i|i really|kinda|we + need it|need this|need to know' +
    '+|asap|now|today|tonight|quickly|by tomorrow|by tonight|by today|by monday|for tomorrow',
  'sorry for my english|sorry if this is obvious|frage für einen freund|ist dringend|es ist dringend|bin neu hier',
  "nur aus neugier|c'est urgent|je débute|es urgente|soy nuevo|es para un amigo|è urgente|é urgente",
  'het is dringend|срочно|acil|急|急用|在线等',
]

/** Words by whose beginning a closing clause is thanks or a greeting, however it goes on. */
export const SIGN_OFFS: ReadonlySet<string> = new Set(
  (
    'thanks thx thnx thank ty tia cheers regards appreciated appreciate danke dank grüße grüßen gruß lg mfg vg merci ' +
    'remercie cordialement gracias saludos agradezco grazie grz saluti obrigado obrigada agradeço vlw cumprimentos ' +
    'abraços bedankt groet groeten groetjes tack hälsningar dzięki dziękuję pozdrawiam спасибо спс благодарю благодарен ' +
    'уважением teşekkürler saygılar'
  ).split(' '),
)

/** A word that makes the next one a subject: "how to say thank you". */
export const MENTIONS: ReadonlySet<string> = new Set(
  (
    'say saying said write writing spell word words mean means meaning translate called named song of to the a an or and ' +
    'for in with about is sagen sagt schreiben heißt bedeutet bedeutung wort und oder von zu für auf mit das der die ' +
    'dire écrire mot signifie et ou de à le la les un une en pour decir escribir palabra significa y o el los las para ' +
    'con del parola scrivere e di il lo per dizer palavra escrever do da zeggen woord het een säga ord och slovo ' +
    'сказать слово и или значит'
  ).split(' '),
)
