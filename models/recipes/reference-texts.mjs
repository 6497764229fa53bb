// Prints a thousand short texts in twenty languages, made of what ICU knows of dates, regions, languages, currencies and
// units: what a model is compared with its reference on, without anybody's prose. Another version of ICU words some anew.
const LOCALES = 'en de fr es it pt nl pl cs ru uk el tr vi id zh ja ko th ar'.split(' ')
const REGIONS =
  'DE FR US CN IN BR ZA JP EG MX CA AU SE NO KE NG PE CL IS GR TR IR ID TH VN KR PL CZ PT ES'.split(' ')
const LANGUAGES = 'de fr en es pt ru ja zh ar hi sw tr vi th ko pl cs nl sv fi'.split(' ')
const CURRENCIES = 'EUR USD JPY CHF GBP INR BRL CNY SEK TRY'.split(' ')
const UNITS = 'kilometer liter celsius hour kilobyte'.split(' ')
const TEXTS_PER_LOCALE = 50

function textOf(locale, number) {
  const pick = (list, step) => list[(number * 7 + step * 3) % list.length]
  const name = (type, code) => new Intl.DisplayNames(locale, { type }).of(code)
  const day = new Date(Date.UTC(1990 + number, number % 12, 1 + ((number * 7) % 28)))
  const regions = [0, 1, 2].slice(0, 1 + (number % 3)).map((step) => name('region', pick(REGIONS, step)))
  const unit = { style: 'unit', unit: UNITS[number % UNITS.length], unitDisplay: 'long' }
  const parts = [
    new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(day),
    new Intl.ListFormat(locale).format(regions),
    name('language', pick(LANGUAGES, number)),
    name('currency', pick(CURRENCIES, number)),
    new Intl.NumberFormat(locale, unit).format(3 + number * 11),
  ]
  return parts.slice(0, 2 + (number % 4)).join(number % 2 === 1 ? ': ' : '. ')
}

for (const locale of LOCALES)
  for (let number = 0; number < TEXTS_PER_LOCALE; number++)
    console.log(JSON.stringify({ text: textOf(locale, number) }))
