// The parts forms and code blocks are made of, so that labels, help, errors and copy buttons are tied to their fields
// in the same accessible way on every page.
import type { AriaAttributes, ComponentChildren, InputHTMLAttributes, JSX } from 'preact'
import { colouredCode, type CodeLanguage } from '../code/coloured-code.ts'
import { FormToken, type Frame } from './page.tsx'

type FieldProperties = InputHTMLAttributes & {
  name: string
  label: string
  help?: string | undefined
  /** Why the value that was sent is refused. */
  wrong?: string | undefined
}

/** One labelled input; help and error are announced with it. */
export function Field({ name, label, help, wrong, ...input }: FieldProperties): JSX.Element {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input {...input} id={name} name={name} {...describedBy({ name, help, wrong })} />
      <FieldNotes name={name} help={help} wrong={wrong} />
    </div>
  )
}

interface TextAreaProperties extends FieldNotesProperties {
  label: string
  rows: number
  required?: boolean
  value: string
}

/** One labelled field of several lines; help and error are announced with it. */
export function TextArea({ name, label, help, wrong, value, ...area }: TextAreaProperties): JSX.Element {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <textarea {...area} dir="auto" id={name} name={name} {...describedBy({ name, help, wrong })}>
        {/* HTML drops a line break right after the tag. */}
        {`\n${value}`}
      </textarea>
      <FieldNotes name={name} help={help} wrong={wrong} />
    </div>
  )
}

interface FieldNotesProperties {
  name: string
  help?: string | undefined
  wrong?: string | undefined
}

function describedBy({ name, help, wrong }: FieldNotesProperties): AriaAttributes {
  const ids = [help === undefined ? '' : `${name}-help`, wrong === undefined ? '' : `${name}-wrong`]
  const described = ids.filter((id) => id !== '').join(' ')
  return {
    'aria-invalid': wrong === undefined ? undefined : 'true',
    'aria-describedby': described === '' ? undefined : described,
  }
}

function FieldNotes({ name, help, wrong }: FieldNotesProperties) {
  return (
    <>
      {help !== undefined && (
        <p class="help" id={`${name}-help`}>
          {help}
        </p>
      )}
      {wrong !== undefined && (
        <p class="wrong" id={`${name}-wrong`}>
          {wrong}
        </p>
      )}
    </>
  )
}

interface SelectProperties {
  name: string
  label: string
  help?: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
}

/** One labelled list to choose from. */
export function Select({ name, label, help, value, options }: SelectProperties): JSX.Element {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} aria-describedby={help === undefined ? undefined : `${name}-help`}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
      {help !== undefined && (
        <p class="help" id={`${name}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

/** One labelled tick box. */
export function Choice(properties: {
  name: string
  value: string
  label: string
  checked: boolean
}): JSX.Element {
  return (
    <label class="choice">
      <input type="checkbox" name={properties.name} value={properties.value} checked={properties.checked} />
      {properties.label}
    </label>
  )
}

interface CodeProperties {
  /** Unique on the page. */
  id: string
  label: string
  code: string
  language: CodeLanguage
}

/** Code to take away. The copy button appears only where scripts run. */
export function CodeBlock({ id, label, code, language }: CodeProperties): JSX.Element {
  return (
    <div class="code">
      <CopyButton source={id} label={label} />
      <pre tabIndex={0} role="region" aria-label={label}>
        <code id={id} dangerouslySetInnerHTML={{ __html: colouredCode(code, language) }} />
      </pre>
    </div>
  )
}

interface CopyButtonProperties {
  source: string
  label: string
  /** Whoever opens the page copies first: no key but Enter is needed. */
  isFirst?: boolean
}

/** A button that copies the text of the element `source`; there only where scripts run. */
export function CopyButton({ source, label, isFirst = false }: CopyButtonProperties): JSX.Element {
  return (
    <button
      type="button"
      class="button button-plain button-small copy"
      data-copy={source}
      data-needs-script
      autofocus={isFirst}
    >
      Copy<span class="visually-hidden"> {label}</span>
    </button>
  )
}

/** What stands where a list would, while there is nothing to list. */
export function EmptyState({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <h3>{title}</h3>
      <p>{children}</p>
    </div>
  )
}

interface RemovalFormProperties {
  frame: Frame
  /** Left out: the address of the page that asks. */
  action?: string
  /** What is removed, where the address does not say so. */
  field?: { name: string; value: string }
  /** What the button does. */
  does: string
  leave: readonly [address: string, words: string]
}

/** Below the question before something is removed: to do it, or to leave it. */
export function RemovalForm({ frame, action, field, does, leave }: RemovalFormProperties): JSX.Element {
  const [address, words] = leave
  return (
    <form method="post" action={action} class="actions">
      <FormToken frame={frame} />
      {field !== undefined && <input type="hidden" name={field.name} value={field.value} />}
      <button type="submit" class="button button-danger">
        {does}
      </button>
      <a class="button button-plain" href={address}>
        {words}
      </a>
    </form>
  )
}
