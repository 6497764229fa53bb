// The frame around every page: head, navigation, notice, footer. Views give it their content and nothing else, so that
// title, language, skip link and current page are right everywhere.
import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { ThemeSwitch, type Theme } from './theme-switch.tsx'

/** Who is signed in, as far as a page shows it. */
export interface Person {
  id: string
  email: string
  name: string
  isAdmin: boolean
}

/** The files of public/styles/, one a page that needs more than the frame. */
export const STYLES = ['frame', 'status', 'docs', 'usage', 'playground', 'check', 'library'] as const
export type StyleName = (typeof STYLES)[number]

/** Scripts of pages that do more than the frame's. */
export const SCRIPTS = ['folding', 'playground', 'library', 'docs'] as const
export type ScriptName = (typeof SCRIPTS)[number]
/** The script of every page. */
export const SHARED_SCRIPT = 'verbatim' as const

/** Addresses of the files under public/, with their digest so that browsers may keep them for ever. */
export interface AssetUrls {
  /** Of every page, and of those that have one of their own. */
  styles: ReadonlyMap<StyleName, string>
  script: string
  scripts: ReadonlyMap<ScriptName, string>
  /** What those and the script of every page import, so that it is asked for with them and not after them. */
  imports: ReadonlyMap<ScriptName | typeof SHARED_SCRIPT, readonly string[]>
  icon: string
}

export interface Notice {
  tone: 'good' | 'warn' | 'bad'
  text: string
}

/** What a page needs to know beside its content. */
export interface Frame {
  /** Path of the request, for the current entry of the navigation. */
  path: string
  /** Where signing in and another theme lead back to. */
  back: string
  person: Person | null
  theme: Theme
  /** The anti-forgery token every form on the page carries. */
  formToken: string
  /** Differs from page to page; what forms are told apart by that must be sent once. */
  pageMark: string
  assets: AssetUrls
  notice: Notice | null
}

interface PageProperties {
  frame: Frame
  title: string
  description?: string
  /** The page's own style sheet beside the frame's. */
  style?: StyleName
  /** The page's own script beside the frame's. */
  script?: ScriptName
  children: ComponentChildren
}

/** The name of the hidden field that carries the anti-forgery token. */
export const FORM_TOKEN_FIELD = 'form_token'
/** The name of the hidden field by which a form that is sent again is known. */
export const FORM_MARK_FIELD = 'form_mark'

export function Page({ frame, title, description, style, script, children }: PageProperties): JSX.Element {
  return (
    <html lang="en" data-theme={frame.theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={frame.theme === 'system' ? 'light dark' : frame.theme} />
        {description !== undefined && <meta name="description" content={description} />}
        <title>{title === 'Verbatim' ? title : `${title} · Verbatim`}</title>
        <link rel="icon" type="image/svg+xml" href={frame.assets.icon} />
        <link rel="stylesheet" href={frame.assets.styles.get('frame')} />
        {style !== undefined && <link rel="stylesheet" href={frame.assets.styles.get(style)} />}
        <Imports assets={frame.assets} of={SHARED_SCRIPT} />
        <script type="module" src={frame.assets.script} />
        {script !== undefined && (
          <>
            <Imports assets={frame.assets} of={script} />
            <script type="module" src={frame.assets.scripts.get(script)} />
          </>
        )}
      </head>
      <body data-person={frame.person?.id}>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <Masthead frame={frame} />
        <main id="content" tabIndex={-1}>
          <div class="frame">
            {frame.notice !== null && (
              <div class={`notice notice-${frame.notice.tone}`} role="status">
                <p>{frame.notice.text}</p>
              </div>
            )}
            {children}
          </div>
        </main>
        <footer class="colophon">
          <div class="frame">
            <p>Verbatim: web search that answers word for word.</p>
            <ThemeSwitch theme={frame.theme} back={frame.back} />
            <p>
              <a href="/docs/quick-start">Quick start</a> · <a href="/docs/api">API</a> ·{' '}
              <a href="/docs/security">Security</a>
            </p>
          </div>
        </footer>
        <p id="announcement" class="visually-hidden" role="status" />
      </body>
    </html>
  )
}

function Imports({ assets, of }: { assets: AssetUrls; of: ScriptName | typeof SHARED_SCRIPT }) {
  return (
    <>
      {assets.imports.get(of)?.map((href) => (
        <link rel="modulepreload" href={href} />
      ))}
    </>
  )
}

function Masthead({ frame }: { frame: Frame }) {
  const { person } = frame
  return (
    <header class="masthead">
      <div class="frame">
        <a class="brand" href="/">
          <span>Verbatim</span>
        </a>
        <nav aria-label="Main">
          <ul>
            <NavigationLink frame={frame} href="/" label={person === null ? 'Start' : 'Overview'} />
            <NavigationLink frame={frame} href="/docs" label="Docs" />
            {person !== null && (
              <>
                <NavigationLink frame={frame} href="/playground" label="Playground" />
                <NavigationLink frame={frame} href="/check" label="Check" />
                <NavigationLink frame={frame} href="/library" label="Library" />
                <NavigationLink frame={frame} href="/keys" label="Keys" />
                <NavigationLink frame={frame} href="/usage" label="Usage" />
                <NavigationLink frame={frame} href="/requests" label="Requests" />
                {person.isAdmin && (
                  <>
                    <NavigationLink frame={frame} href="/users" label="People" parts={['/audit']} />
                    <NavigationLink frame={frame} href="/settings" label="Settings" />
                  </>
                )}
              </>
            )}
          </ul>
        </nav>
        <nav aria-label="Account" class="personal">
          <ul>
            {person === null ? (
              <SignInLink frame={frame} />
            ) : (
              <>
                <NavigationLink frame={frame} href="/account" label={person.name} />
                <li>
                  <form method="post" action="/sign-out">
                    <FormToken frame={frame} />
                    <button type="submit">Sign out</button>
                  </form>
                </li>
              </>
            )}
          </ul>
        </nav>
      </div>
    </header>
  )
}

interface NavigationLinkProperties {
  frame: Frame
  href: string
  label: string
  /** Addresses of pages that belong to it and lie elsewhere. */
  parts?: readonly string[]
}

function NavigationLink({ frame, href, label, parts = [] }: NavigationLinkProperties) {
  const current = [href, ...parts].some(
    (path) => frame.path === path || (path !== '/' && frame.path.startsWith(`${path}/`)),
  )
  return (
    <li>
      <a href={href} aria-current={current ? 'page' : undefined}>
        {label}
      </a>
    </li>
  )
}

/** Leads back to the page that it stands on; the pages that strangers alone see have nothing to go back to. */
function SignInLink({ frame }: { frame: Frame }) {
  const isWayIn = /^\/(?:sign-in|invitations|resets)(?:\/|$)/u.test(frame.path)
  const href = isWayIn ? '/sign-in' : `/sign-in?next=${encodeURIComponent(frame.back)}`
  return (
    <li>
      <a href={href} aria-current={frame.path === '/sign-in' ? 'page' : undefined}>
        Sign in
      </a>
    </li>
  )
}

/** The hidden field without which a form is refused. */
export function FormToken({ frame }: { frame: Frame }): JSX.Element {
  return <input type="hidden" name={FORM_TOKEN_FIELD} value={frame.formToken} />
}

/** The hidden field of a form that makes something secret: sent again, it makes nothing. `name` tells forms of a page apart. */
export function FormMark({ frame, name }: { frame: Frame; name: string }): JSX.Element {
  return <input type="hidden" name={FORM_MARK_FIELD} value={`${frame.pageMark}.${name}`} />
}

interface PageHeadProperties {
  title: ComponentChildren
  /** The page above this one: its address and its name. */
  above?: readonly [href: string, label: string]
  children?: ComponentChildren
}

/** The way up, the title, and one sentence that says what the page is for. */
export function PageHead({ title, above, children }: PageHeadProperties): JSX.Element {
  return (
    <header class="page-head">
      {above !== undefined && (
        <p class="crumb">
          <a href={above[0]}>{above[1]}</a> /
        </p>
      )}
      <h1>{title}</h1>
      {children !== undefined && <p>{children}</p>}
    </header>
  )
}

/** The complete HTML document of a page element. Everything that is not markup of ours is escaped. */
export function renderDocument(page: JSX.Element): string {
  return `<!doctype html>${renderToString(page)}`
}
