// What the browser reads of a page: everything it shows, nothing it hides, in every way a page can be built.
import { expect, it } from 'vitest'
import { page, PROSE, redirect, reply, scriptedPage } from '../../support/page-server.ts'
import { describeInBrowser } from '../../support/describe-in-browser.ts'
import { openSiteInBrowser } from '../../support/site-in-browser.ts'

const UNSEEN_SHEET = `.tiny { font-size: 1px } .dark { background: #000; color: #fff } .dark p { color: #000 }
  .picture { position: relative } .picture img { position: absolute; inset: 0; width: 300px; height: 60px }
  .overlay::before { content: ''; position: absolute; inset: 0; background: #006 }`

/** What no person sees, and a reader of the markup may take for text. */
const UNSEEN: readonly (readonly [name: string, html: string])[] = [
  ['size nought', '<p style="font-size:0">@</p>'],
  ['one pixel', '<div class="tiny"><p>@</p></div>'],
  ['the paper’s colour', '<p style="color:#fff">@</p>'],
  ['the dark’s colour', '<div class="dark"><p>@</p></div>'],
  ['no colour', '<p style="color:transparent">@</p>'],
  ['hardly a colour', '<p style="color:rgba(0,0,0,.01)">@</p>'],
  ['no opacity', '<p style="opacity:0">@</p>'],
  ['no opacity around', '<section style="opacity:.01"><div><p>@</p></div></section>'],
  ['the far left', '<p style="position:absolute;left:-9999px">@</p>'],
  ['the far top', '<p style="position:fixed;top:-5000px">@</p>'],
  ['a margin', '<p style="margin-left:-9999px;width:200px">@</p>'],
  ['an indent', '<p style="text-indent:-9999px">@</p>'],
  ['a clip', '<p style="position:absolute;clip:rect(0,0,0,0)">@</p>'],
  ['a path', '<p style="clip-path:inset(50%)">@</p>'],
  ['a circle', '<p style="clip-path:circle(0)">@</p>'],
  ['no height', '<div style="height:0;overflow:hidden"><p>@</p></div>'],
  ['no width', '<div style="width:0;overflow:hidden;white-space:nowrap"><p>@</p></div>'],
  ['scale nought', '<p style="transform:scale(0)">@</p>'],
  ['a scale of its own', '<p style="scale:0">@</p>'],
  ['a turn out of sight', '<p style="transform:rotateX(90deg)">@</p>'],
  ['a move of its own', '<p style="translate:-9999px 0">@</p>'],
  ['a filter', '<p style="filter:blur(0) opacity(0)">@</p>'],
  ['a path of one point', '<p style="clip-path:polygon(0 0, 0 0, 0 0)">@</p>'],
  ['a zoom', '<div style="zoom:.01"><p>@</p></div>'],
]

/** What waits to be seen, and what only looks as if it could not be. */
const OPENABLE: readonly (readonly [name: string, html: string])[] = [
  ['details', '<details><summary>More</summary><p>@</p></details>'],
  ['an accordion', '<h3><button>Why?</button></h3><div style="height:0;overflow:hidden"><p>@</p></div>'],
  ['an answer', '<div style="cursor:pointer">How?</div><div style="max-height:0;overflow:hidden">@</div>'],
  ['a panel', '<div role="tabpanel" style="opacity:0">@</div>'],
  [
    'a named panel',
    '<a href="#named">Open</a><p>between</p><div id="named" style="height:0;overflow:hidden">@</div>',
  ],
  ['a scale that is none', '<p style="scale:1 -1;zoom:.8;filter:opacity(.9)">@</p>'],
  ['a turned card', '<p style="transform:perspective(500px) rotateY(180deg)">@</p>'],
  ['an area', '<p style="clip-path:polygon(0 0, 100% 0, 100% 100%)">@</p>'],
  ['a fade', '<p style="opacity:0;transition:opacity .5s">@</p>'],
  ['a slide', '<div style="overflow:hidden;width:300px"><p style="transform:translateX(300px)">@</p></div>'],
  ['a picture', '<div class="picture"><img alt=""><p style="position:relative;color:#fff">@</p></div>'],
  [
    'an overlay',
    '<div class="overlay" style="position:relative"><p style="position:relative;color:#fff">@</p></div>',
  ],
  [
    'a gradient',
    '<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">@</p>',
  ],
  ['a shadow', '<p style="color:transparent;text-shadow:0 0 1px #000">@</p>'],
  ['a dark box', '<div class="dark">@</div>'],
  ['a small print', '<p style="font-size:6px">@</p>'],
]

const FORMULA = '<math><mi>a</mi><mo>≠</mo><mn>0</mn></math>'

const routes = {
  ...scriptedPage('/scripted/', 'Scripted', `Fetched by script.\n${PROSE}`),
  '/late/': page(
    'Late',
    `<header>Site</header><div id="root"></div><script>setTimeout(() => {
      root.innerHTML = '<main><p>It came late. ${PROSE}</p></main>' }, 1500)</script>`,
  ),
  '/frames/': page(
    'Frames',
    `<p>The host page. ${PROSE}</p><iframe src="/framed/"></iframe><iframe srcdoc="<p>Written in place.</p>"></iframe>
     <iframe src="/framed/hidden" style="display:none"></iframe>`,
  ),
  '/framed/': page('Framed', '<p>Read inside the frame.</p>'),
  '/framed/hidden': page('Framed', '<p>Never shown.</p>'),
  '/shadow/': page(
    'Shadow',
    `<p>Light. ${PROSE}</p><x-card>slotted words</x-card>
     <div><template shadowrootmode="open"><p>Declared in HTML.</p><style>p { color: red }</style></template>unslotted words</div>
     <script>customElements.define('x-card', class extends HTMLElement { constructor() { super()
       this.attachShadow({ mode: 'open' }).innerHTML = '<p>Made by script.</p><b>Before <slot></slot> after.</b>' } })</script>`,
  ),
  '/template/': page(
    'Template',
    `<template id="a"><p>Cloned from a template. ${PROSE}</p></template><template><p>Inert.</p></template><div id="o"></div>
     <script>o.append(a.content.cloneNode(true))</script>`,
  ),
  '/lazy/': page(
    'Lazy',
    `<main><p>At the top. ${PROSE}</p></main><script>
      let made = 0
      const observer = new IntersectionObserver((entries) => { for (const entry of entries) if (entry.isIntersecting) {
        observer.unobserve(entry.target); setTimeout(grow, 60) } })
      const grow = () => { made += 1; const p = document.createElement('p'); p.style.minHeight = '1700px'
        p.textContent = 'Loaded on sight ' + made + '.'; document.querySelector('main').append(p)
        if (made < 5) { const mark = document.createElement('i'); mark.textContent = '.'; mark.style.display = 'block'
          document.querySelector('main').append(mark); observer.observe(mark) } }
      grow()</script>`,
  ),
  '/consent/': page(
    'Consent',
    `<article><p>The article behind the wall. ${PROSE}</p></article>
     <div role="dialog" style="position:fixed;inset:0;background:#fff;z-index:9">We value your privacy. Accept all.</div>
     <script>document.body.style.overflow = 'hidden'</script>`,
  ),
  '/hidden/': page(
    'Hidden',
    `<p>Shown. ${PROSE}</p><p class="sheet">By style sheet.</p><p style="display:none">By inline style.</p><p hidden>By attribute.</p>
     <div style="visibility:hidden">Invisible, <b style="visibility:visible">but not this part</b>.</div>
     <p hidden style="display:block">Shown in spite of its attribute.</p>
     <details><summary>More</summary><p>Folded but findable.</p></details>
     <p style="opacity:0;transition:opacity 1s">Fading in.</p><textarea>typed in a field</textarea><input value="typed in a box"><select><option>chosen</option></select>
     <noscript><p>Without scripts.</p></noscript><script>/* code */</script><style>/* rules */</style>`,
    '<style>.sheet { display: none }</style>',
  ),
  '/unseen/': page(
    'Unseen',
    `<h1>Seen</h1><p>${PROSE}</p>${[...UNSEEN, ...OPENABLE].map(([name, html]) => html.replace('@', `The words of ${name}.`)).join('\n')}`,
    `<style>${UNSEEN_SHEET}</style>`,
  ),
  '/formulas/': page(
    'Formulas',
    `<p>${PROSE}</p><p>When <span><span class="mwe-math-mathml-a11y" style="display:none">${FORMULA}</span><img alt=""></span>,
     or <mjx-container><svg></svg><mjx-assistive-mml style="position:absolute;clip:rect(1px,1px,1px,1px);overflow:hidden;height:1px;width:1px">${FORMULA}</mjx-assistive-mml></mjx-container>,
     or ${FORMULA} in place, it has two roots.</p>`,
  ),
  '/layout/': page(
    'Layout',
    `<p>${PROSE}</p><span style="display:block">one line</span><span style="display:block">another line</span>
     <div style="display:inline">same</div> <div style="display:inline-block">row</div>
     <p style="white-space:pre-line">first\nsecond</p><pre>\n  kept   as typed\n  here</pre><p style="text-transform:uppercase">Mixed Case</p>`,
  ),
  '/boxes/': page(
    'Boxes',
    `<p>${PROSE}</p><p><button>Subscribe</button><button>Sign in</button></p>
     <h2>${Array.from('Honeycomb', (letter) => `<i style="display:inline-block">${letter}</i>`).join('')}</h2>`,
  ),
  '/metadata/': page(
    'Meta &amp; data',
    `<p>${PROSE}</p><time datetime="2024-03-02">March</time><script type="application/ld+json">{"datePublished":"2024-03-01","n":"</scr"}</script>
     <span itemprop="x"><meta itemprop="dateModified" content="2024-03-05"></span>`,
    `<meta property="article:published_time" content="2024-03-01"><link rel="canonical" href="https://site.example/a"><link rel="stylesheet" href="/none.css">`,
  ),
  '/hostile/': page(
    'Hostile',
    `<p>Still read. ${PROSE}</p><script>
      Array.prototype.push = () => { throw new Error('no') }; Array.prototype.map = () => []; Array.prototype.toJSON = () => 'no'
      window.getComputedStyle = () => ({ display: 'none' }); Element.prototype.getAttribute = () => { throw new Error('no') }
      String.prototype.replace = () => 'forged'; JSON.stringify = () => '"forged"'; window.performance = null</script>`,
  ),
  '/meta-refresh/': page(
    'Refresh',
    '<p>Redirecting…</p>',
    '<meta http-equiv="refresh" content="0; url=/arrived/">',
  ),
  '/script-redirect/': page('Wait', '<p>Please wait…</p><script>location.replace("/arrived/")</script>'),
  '/redirect/': redirect('/arrived/'),
  '/arrived/': reply(200, 'text/html', `<title>Arrived</title><p>You have arrived. ${PROSE}</p>`, {
    'last-modified': 'Sat, 02 Mar 2024 10:00:00 GMT',
    'content-language': 'en-GB',
  }),
  '/none.css': reply(404, 'text/css', ''),
}

const { site, read } = openSiteInBrowser(routes)

describeInBrowser('a page in the browser', () => {
  it('is read when its text is fetched and built by script', async () => {
    expect((await read('/scripted/')).text).toContain('Fetched by script.')
  })

  it('is given time when its text comes late', async () => {
    expect((await read('/late/')).text).toContain('It came late.')
  })

  it('is read with its frames of the same origin and without hidden ones', async () => {
    const { text } = await read('/frames/')
    expect(text).toContain('Read inside the frame.')
    expect(text).toContain('Written in place.')
    expect(text).not.toContain('Never shown.')
  })

  it('is read with its open shadow roots, slots filled, in the order in which they are shown', async () => {
    const { blocks, text } = await read('/shadow/')
    expect(blocks).toContain('Made by script.')
    expect(text).toContain('Before slotted words after.')
    expect(blocks).toContain('Declared in HTML.')
    expect(text).not.toContain('unslotted words')
  })

  it('is read with what a script cloned from a template, and not with the template', async () => {
    const { text } = await read('/template/')
    expect(text).toContain('Cloned from a template.')
    expect(text).not.toContain('Inert.')
  })

  it('shows what loads on sight only when it is scrolled', async () => {
    const [still, scrolled] = await Promise.all([
      read('/lazy/'),
      read('/lazy/', { scroll: true, withinMs: 12_000 }),
    ])
    expect(still.text).not.toContain('Loaded on sight 5.')
    expect(scrolled.text).toContain('Loaded on sight 5.')
  })

  it('is read behind a consent wall', async () => {
    expect((await read('/consent/')).text).toContain('The article behind the wall.')
  })

  it('is read without what is hidden by rule, style or attribute, form values, scripts and styles', async () => {
    const { text } = await read('/hidden/')
    const hidden = [
      'By style sheet',
      'By inline style',
      'By attribute',
      'Invisible',
      'typed',
      'chosen',
      'Without',
      'code',
      'rules',
    ]
    for (const words of hidden) expect(text).not.toContain(words)
  })

  it('is read with its formulas in their line, also with those of which only a drawing is shown', async () => {
    expect((await read('/formulas/')).text).toContain('When a≠0, or a≠0, or a≠0 in place, it has two roots.')
  })

  it('keeps what is shown in spite of appearances: overridden attributes, faded and folded text', async () => {
    const { text } = await read('/hidden/')
    const shown = [
      'Shown.',
      'but not this part',
      'Shown in spite of its attribute.',
      'Folded but findable.',
      'Fading in.',
    ]
    for (const words of shown) expect(text).toContain(words)
  })

  it('leaves out what the browser computed to be unseen: size, colour, opacity, place, clip, transform', async () => {
    const { text } = await read('/unseen/')
    expect(UNSEEN.map(([name]) => name).filter((name) => text.includes(`The words of ${name}.`))).toEqual([])
  })

  it('keeps what waits for a click or a moment, and what only looks as if nobody could see it', async () => {
    const { text } = await read('/unseen/')
    const lost = OPENABLE.map(([name]) => name).filter((name) => !text.includes(`The words of ${name}.`))
    expect(lost).toEqual([])
  })

  it('breaks lines where the page does, whatever the tags', async () => {
    const { blocks } = await read('/layout/')
    expect(blocks).toEqual(
      expect.arrayContaining(['one line', 'another line', 'same row', 'first', 'second']),
    )
    expect(blocks.join('\n')).toContain('kept   as typed\n  here')
  })

  it('parts words in boxes of their own where a person sees a gap, and not the letters of one word', async () => {
    const { text } = await read('/boxes/')
    expect(text).toContain('Subscribe Sign in')
    expect(text).toContain('Honeycomb')
  })

  it("keeps the author's letters where a style shows capitals", async () => {
    expect((await read('/layout/')).blocks).toContain('Mixed Case')
  })

  it('keeps title, metadata, canonical address and linked data, and no style sheets', async () => {
    const { html } = await read('/metadata/')
    expect(html).toContain('<title>Meta &amp; data</title>')
    expect(html).toContain('<meta property="article:published_time" content="2024-03-01">')
    expect(html).toContain('<link rel="canonical" href="https://site.example/a">')
    expect(html).toContain('"datePublished":"2024-03-01"')
    expect(html).toContain('<meta itemprop="dateModified" content="2024-03-05">')
    expect(html).toContain('datetime="2024-03-02"')
    expect(html).not.toContain('stylesheet')
  })

  it('cannot forge its capture by replacing built-in functions', async () => {
    const { text } = await read('/hostile/')
    expect(text).toContain('Still read.')
    expect(text).not.toContain('forged')
  })

  it.each(['/meta-refresh/', '/script-redirect/', '/redirect/'])(
    'is followed from %s to where it leads',
    async (path) => {
      const arrived = await read(path)
      expect(arrived.text).toContain('You have arrived.')
      expect(arrived.url).toBe(site().url('/arrived/'))
    },
  )

  it('comes with the address, media type, date and language of its last answer', async () => {
    expect(await read('/redirect/')).toMatchObject({
      url: site().url('/arrived/'),
      mediaType: 'text/html',
      lastModified: '2024-03-02T10:00:00.000Z',
      contentLanguage: 'en-GB',
      cut: null,
    })
  })

  it('is asked for under the name that this service gives itself', async () => {
    await read('/arrived/')
    expect(site().requests.at(-1)?.headers['user-agent']).toBe('VerbatimTest/1.0')
  })
})
