// API keys: make, list, rename, delete. People see and change only their own; administrators all. A key of somebody
// else is answered as one that does not exist.
import { hasExpired, isKeyName, KEY_NAME_RULE, type ApiKey } from '../../accounts/keys/api-key.ts'
import { KeyCreatedPage, KeyDeletionPage, KeyRenamingPage, KeyRotationPage } from './key-pages.tsx'
import { KeysPage } from './keys-view.tsx'
import { ApiError, notFound } from '../../errors.ts'
import { checkFormToken, isSentFirst, listField, readForm, textField } from '../frame/read-form.ts'
import { EMPTY_KEY_FORM, readGrace, readKeyForm, type KeyForm } from './key-form.ts'
import type { DashboardParts } from '../context.ts'
import type { RoutedContext, DashboardRouter } from '../state.ts'
import { baseUrl, frameOf, seeOther, sendPage } from '../frame/respond.ts'
import { noteAct } from '../visitor/note-act.ts'
import { ownerFilter, sessionOf, signedIn } from '../visitor/visitor.ts'

export function addKeyRoutes(router: DashboardRouter, parts: DashboardParts): void {
  router.get('/keys', signedIn, (context: RoutedContext) => showKeys(context, parts, null))
  router.post('/keys', signedIn, readForm, checkFormToken, (context: RoutedContext) =>
    createKey(context, parts),
  )
  router.get('/keys/:id/rename', signedIn, (context: RoutedContext) => showRenaming(context, parts))
  router.post('/keys/:id/rename', signedIn, readForm, checkFormToken, (context: RoutedContext) =>
    renameKey(context, parts),
  )
  router.get('/keys/:id/rotate', signedIn, async (context: RoutedContext) => {
    const key = await findKey(context, parts)
    if (hasExpired(key, new Date())) throw tooLateToRotate()
    sendPage(context, <KeyRotationPage frame={frameOf(context, parts.assetUrls)} apiKey={key} />)
  })
  router.post('/keys/:id/rotate', signedIn, readForm, checkFormToken, (context: RoutedContext) =>
    rotateKey(context, parts),
  )
  router.get('/keys/:id/delete', signedIn, async (context: RoutedContext) => {
    const key = await findKey(context, parts)
    sendPage(context, <KeyDeletionPage frame={frameOf(context, parts.assetUrls)} apiKey={key} />)
  })
  router.post('/keys/:id/delete', signedIn, readForm, checkFormToken, async (context: RoutedContext) => {
    const key = await findKey(context, parts)
    await parts.keys.revoke(key.id, { userId: sessionOf(context).user.id, ...ownerFilter(context) })
    await noteAct(context, parts, 'key_deleted', key.name)
    seeOther(context, '/keys?done=key-deleted')
  })
}

async function findKey(context: RoutedContext, parts: DashboardParts): Promise<ApiKey> {
  const key = await parts.keys.get(context.params['id'] ?? '', ownerFilter(context).ownerId)
  if (key === null || key.revokedAt !== null) throw notFound()
  return key
}

const tooLateToRotate = (): ApiError =>
  new ApiError({
    status: 409,
    code: 'key_expired',
    title: 'This key has expired',
    detail: 'Only a key that still works can be rotated. Create a new one in its place.',
  })

async function showRenaming(context: RoutedContext, parts: DashboardParts): Promise<void> {
  const key = await findKey(context, parts)
  const frame = frameOf(context, parts.assetUrls)
  sendPage(context, <KeyRenamingPage frame={frame} apiKey={key} name={key.name} />)
}

async function renameKey(context: RoutedContext, parts: DashboardParts): Promise<void> {
  const key = await findKey(context, parts)
  const name = textField(context, 'name')
  if (!isKeyName(name)) {
    const frame = frameOf(context, parts.assetUrls)
    sendPage(context, <KeyRenamingPage frame={frame} apiKey={key} name={name} wrong={KEY_NAME_RULE} />, 422)
    return
  }
  await parts.keys.rename(key.id, name, ownerFilter(context).ownerId)
  await noteAct(context, parts, 'key_renamed', `${key.name} → ${name.trim()}`)
  seeOther(context, '/keys?done=key-renamed')
}

async function createKey(context: RoutedContext, parts: DashboardParts): Promise<void> {
  const form = readKeyForm({
    name: textField(context, 'name'),
    expires: textField(context, 'expires'),
    points: textField(context, 'points'),
    place: textField(context, 'place'),
    scopes: listField(context, 'scopes'),
  })
  if (!form.ok) return showKeys(context, parts, form)
  if (!(await isSentFirst(context, parts))) return seeOther(context, '/keys?done=made-already')
  const { record, key } = await parts.keys.create({ ...form.request, ownerId: sessionOf(context).user.id })
  await noteAct(context, parts, 'key_created', record.name)
  showNewKey(context, parts, { record, key, replaced: null })
}

async function rotateKey(context: RoutedContext, parts: DashboardParts): Promise<void> {
  const { id, name } = await findKey(context, parts)
  const graceMs = readGrace(textField(context, 'grace'))
  if (graceMs === null) throw notFound()
  if (!(await isSentFirst(context, parts))) return seeOther(context, '/keys?done=made-already')
  const rotation = { id, graceMs, userId: sessionOf(context).user.id, ...ownerFilter(context) }
  const rotated = await parts.keys.rotate(rotation)
  if (rotated === null) throw tooLateToRotate()
  await noteAct(context, parts, 'key_rotated', name)
  showNewKey(context, parts, { ...rotated, replaced: await parts.keys.get(id) })
}

/** Shown in the answer to the form itself: the key is stored nowhere, so no later page could show it. */
function showNewKey(
  context: RoutedContext,
  parts: DashboardParts,
  { record, key, replaced }: { record: ApiKey; key: string; replaced: ApiKey | null },
): void {
  const frame = frameOf(context, parts.assetUrls)
  sendPage(
    context,
    <KeyCreatedPage
      frame={frame}
      record={record}
      secret={key}
      replaced={replaced}
      publicUrl={baseUrl(context, parts.publicUrl)}
    />,
    201,
  )
}

async function showKeys(
  context: RoutedContext,
  parts: DashboardParts,
  refused: KeyForm | null,
): Promise<void> {
  const filter = ownerFilter(context)
  const midnight = new Date(new Date().setUTCHours(0, 0, 0, 0))
  const [keys, requestsToday, events, users] = await Promise.all([
    parts.keys.list(filter),
    parts.usage.requestsSince(midnight, filter.ownerId),
    parts.keys.events(filter),
    filter.ownerId === undefined ? parts.users.list() : Promise.resolve([]),
  ])
  const page = (
    <KeysPage
      frame={frameOf(context, parts.assetUrls)}
      keys={keys}
      requestsToday={requestsToday}
      events={events}
      owners={filter.ownerId === undefined ? new Map(users.map((user) => [user.id, user.email])) : null}
      rateLimit={parts.rateLimit}
      form={refused?.sent ?? EMPTY_KEY_FORM}
      wrong={refused?.ok === false ? refused.wrong : {}}
      now={new Date()}
    />
  )
  sendPage(context, page, refused === null ? 200 : 422)
}
