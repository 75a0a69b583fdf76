// @vitest-environment happy-dom
import { aGuest } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { aRouter } from '../../../ui/router/fake-history.ts'
import type { Router } from '../../../ui/router/router.ts'
import { RouterContext } from '../../../ui/router/use-router.ts'
import { Answer, aStatus, settled, viewer } from '../fake-settings.tsx'
import { renderWithLive, toasts } from '../nodes/fake-nodes.tsx'
import GuestUrlsSection from './section.tsx'

const load = 'GET /api/guests/metadata'
const guests = {
  'c:100': aGuest({ vmid: 100, name: 'web' }),
  'c:101': aGuest({ vmid: 101, name: 'db', type: 'lxc' }),
  'c:102': aGuest({ vmid: 102, name: 'mail', node: 'pve0' }),
}
const ids = { web: 'main-pve1-100', db: 'main-pve1-101', mail: 'main-pve0-102' }
const put = (id: string) => `PUT /api/guests/metadata/${id}`
const stored = { [ids.web]: { id: ids.web, customUrl: 'https://web.example.org' } }

interface Given {
  live?: ReturnType<typeof aLive>
  status?: ReturnType<typeof aStatus>
  replies?: Record<string, unknown>
  router?: Router
}

async function show({ live = aLive({ guests }), status, replies = {}, router = aRouter() }: Given = {}) {
  const view = await renderWithLive(
    <RouterContext value={router}>
      <GuestUrlsSection />
    </RouterContext>,
    { live, ...(status && { status }), replies: { [load]: stored, ...replies } },
  )
  const sent = () =>
    view.calls.filter(({ call }) => call.startsWith('PUT')).map(({ call, body }) => [call, body])
  return { ...view, sent }
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name: `URL of ${name}` })
const button = (name: string) => screen.queryByRole('button', { name })
/** The row shows its URL as text until the user presses its pencil. */
const edit = (name: string) => {
  const pencil = button(`Edit URL of ${name}`)
  if (pencil) fireEvent.click(pencil)
}
const type = (name: string, value: string) => {
  edit(name)
  act(() => field(name).focus())
  fireEvent.change(field(name), { target: { value } })
  act(() => field(name).blur())
}
const urlOf = (name: string) => button(`Edit URL of ${name}`)?.previousElementSibling?.textContent
const listed = () =>
  [...document.querySelectorAll('[aria-label*="URL of"]:is(button, input)')].map((one) =>
    one.getAttribute('aria-label')!.replace('Edit ', ''),
  )
const errorOf = (name: string) => {
  const id = field(name).getAttribute('aria-describedby')
  return id ? document.getElementById(id)?.textContent : undefined
}
async function save() {
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await settled()
}

beforeEach(() => void toasts())
afterEach(cleanup)

test('[spec 2 §2] lists the guests by node and number, each with its URL', async () => {
  await show()
  expect(listed()).toEqual(['URL of mail', 'URL of web', 'URL of db'])
  expect([urlOf('web'), urlOf('db')]).toEqual(['https://web.example.org', 'Not set'])
  const rows = screen.getAllByRole('row').map(({ textContent }) => textContent)
  expect(rows).toEqual([
    'GuestNodeURL',
    'mailVM102pve0Not set',
    'webVM100pve1https://web.example.org',
    'dbLXC101pve1Not set',
  ])
  expect(
    screen.getByRole('link', { name: 'Open the URL of web: https://web.example.org' }).getAttribute('href'),
  ).toBe('https://web.example.org/')
})

test('a URL that an older version kept under node and number is found', async () => {
  await show({ replies: { [load]: { 'pve1-101': { id: 'pve1-101', customUrl: 'https://db' } } } })
  expect(urlOf('db')).toBe('https://db')
})

test('a guest without a name goes by its number', async () => {
  await show({ live: aLive({ guests: { x: aGuest({ vmid: 7, name: ' ' }) } }) })
  expect(listed()).toEqual(['URL of Guest 7'])
})

describe('[spec 2 §5] a URL', () => {
  test.each([
    { url: 'https://web.', error: 'URL appears incomplete - please enter a complete domain or IP address' },
    { url: 'web.example.org', error: 'URL must start with http:// or https://' },
    { url: 'ftp://web', error: 'URL must start with http:// or https://' },
    { url: 'https://', error: 'URL must include a valid hostname or IP address' },
    { url: 'https://web./x', error: 'Hostname appears incomplete' },
    { url: 'https://web example', error: 'Invalid URL format' },
  ])('$url: $error', async ({ url, error }) => {
    await show()
    type('db', url)
    expect([errorOf('db'), field('db').getAttribute('aria-invalid')]).toEqual([error, 'true'])
    expect([button('Save changes'), button('Discard') !== null]).toEqual([null, true])
  })

  test.each(['', 'http://10.0.0.7:8080/x', 'https://web.example.org/a?b=c'])('"%s" is fine', async (url) => {
    await show()
    type('web', `${url}1`)
    type('web', url)
    type('db', 'https://db')
    expect(errorOf('web')).toBeUndefined()
    expect(button('Save changes')).not.toBeNull()
  })

  test('Save is hidden while any row has an error, and comes back', async () => {
    await show()
    type('web', 'https://new')
    type('db', 'no')
    expect(button('Save changes')).toBeNull()
    type('db', '')
    expect(button('Save changes')).not.toBeNull()
  })
})

describe('the pencil', () => {
  test('opens the field with the URL in it, and the field has the focus', async () => {
    await show()
    expect(screen.queryAllByRole('textbox', { name: /^URL of/ })).toEqual([])
    edit('web')
    expect([field('web').value, document.activeElement === field('web')]).toEqual([
      'https://web.example.org',
      true,
    ])
  })

  test('what was not changed is text again once the field is left; what was changed stays a field', async () => {
    await show()
    edit('web')
    act(() => field('web').blur())
    expect(urlOf('web')).toBe('https://web.example.org')
    type('db', 'https://db')
    expect([field('db').value, button('Edit URL of db')]).toEqual(['https://db', null])
    act(() => field('db').focus())
    fireEvent.change(field('db'), { target: { value: '' } })
    expect(document.activeElement, 'while something is typed it stays a field').toBe(field('db'))
  })

  test('Escape takes the edit back, and the pencil has the focus', async () => {
    await show()
    edit('web')
    fireEvent.change(field('web'), { target: { value: 'https://other' } })
    fireEvent.keyDown(field('web'), { key: 'Escape' })
    expect([urlOf('web'), button('Save changes')]).toEqual(['https://web.example.org', null])
    expect(document.activeElement).toBe(button('Edit URL of web'))
  })
})

describe('[spec 2 §4] unsaved changes', () => {
  test('only a value that differs is one', async () => {
    await show()
    expect([button('Save changes'), button('Discard')]).toEqual([null, null])
    type('web', 'https://other')
    type('web', ' https://web.example.org ')
    expect([button('Save changes'), button('Discard')]).toEqual([null, null])
  })

  test('Discard brings back what is stored', async () => {
    await show()
    type('web', 'nonsense')
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect([urlOf('web'), button('Discard')]).toEqual(['https://web.example.org', null])
  })

  test('stay with a guest that migrates meanwhile, and are saved under its new id', async () => {
    const live = aLive({ guests })
    const id = 'main-pve2-101'
    const { sent } = await show({ live, replies: { [put(id)]: { id, customUrl: 'https://db' } } })
    type('db', 'https://db')
    act(() => live.put({ guests: { 'c:101': aGuest({ vmid: 101, name: 'db', type: 'lxc', node: 'pve2' }) } }))
    expect(field('db').value).toBe('https://db')
    await save()
    expect(sent()).toEqual([[put(id), { customUrl: 'https://db' }]])
  })
})

describe('[spec 2 §8] saving', () => {
  test('sends only the changed rows and says Guest URLs saved', async () => {
    const { sent } = await show({
      replies: {
        [put(ids.web)]: { id: ids.web },
        [put(ids.db)]: { id: ids.db, customUrl: 'https://db' },
      },
    })
    type('web', '')
    type('db', ' https://db ')
    await save()
    expect(sent()).toEqual([
      [put(ids.web), { customUrl: '' }],
      [put(ids.db), { customUrl: 'https://db' }],
    ])
    expect(toasts()).toEqual(['success: Guest URLs saved'])
    expect([urlOf('web'), urlOf('db'), button('Discard')]).toEqual(['Not set', 'https://db', null])
  })

  test('names the guests that could not be saved, and keeps their edits', async () => {
    await show({
      replies: {
        [put(ids.mail)]: { id: ids.mail, customUrl: 'https://mail' },
        [put(ids.web)]: new Answer(400, { error: 'Invalid URL format' }),
        [put(ids.db)]: new Answer(502, '<html>Bad gateway</html>'),
      },
    })
    for (const name of ['mail', 'web', 'db']) type(name, `https://${name}`)
    await save()
    expect(toasts()).toEqual(['error: Failed to save guest URLs'])
    const lines = [...screen.getByRole('alert').querySelectorAll('p')].map(({ textContent }) => textContent)
    expect(lines).toEqual([
      'Failed to save guest URLs',
      'web: Invalid URL format',
      'db: Request failed with status 502',
    ])
    expect([field('web').value, button('Save changes') !== null]).toEqual(['https://web', true])
    type('web', 'https://web2')
    expect(screen.getByRole('alert').textContent).not.toContain('web:')
  })

  test('stops when the right has ended', async () => {
    const { sent } = await show({ replies: { [put(ids.mail)]: new Answer(403, { error: 'Not yours' }) } })
    for (const name of ['mail', 'web']) type(name, `https://${name}`)
    await save()
    expect(sent()).toHaveLength(1)
  })
})

describe('the filter', () => {
  const filter = (value: string) =>
    fireEvent.change(screen.getByRole('searchbox', { name: 'Filter guests' }), { target: { value } })

  test('stands in the address, and an edit that is not saved stays', async () => {
    const router = aRouter('/settings/urls?search=pve0')
    await show({ router })
    expect(listed()).toEqual(['URL of mail'])
    type('mail', 'https://mail.example.org')
    filter('web')
    await waitFor(() => expect(router.view().location.search).toBe('?search=web'))
    expect(screen.queryByRole('dialog')).toBeNull()
    filter('')
    await waitFor(() => expect(router.view().location.search).toBe(''))
    expect(field('mail').value).toBe('https://mail.example.org')
  })

  test.each([
    { text: 'WEB', shown: ['URL of web'] },
    { text: '10', shown: ['URL of mail', 'URL of web', 'URL of db'] },
    { text: 'pve0', shown: ['URL of mail'] },
  ])('$text shows $shown', async ({ text, shown }) => {
    await show()
    filter(text)
    expect(listed()).toEqual(shown)
  })

  test('never hides a row with an error', async () => {
    await show()
    type('db', 'no')
    filter('mail')
    expect(listed()).toEqual(['URL of mail', 'URL of db'])
  })

  test('that nothing matches says so', async () => {
    await show()
    filter('zzz')
    expect(screen.getByText('No guest matches')).toBeDefined()
  })

  test('a large estate is shown in pages', async () => {
    const many = Array.from(
      { length: 130 },
      (_, n) => [`c:${n}`, aGuest({ vmid: n, name: `g${n}` })] as const,
    )
    await show({ live: aLive({ guests: Object.fromEntries(many) }) })
    expect(listed()).toHaveLength(100)
    fireEvent.click(screen.getByRole('button', { name: 'Show 30 more of 30' }))
    expect(listed()).toHaveLength(130)
  })
})

test('[spec 2 §8] Failed to load guest URLs can be retried', async () => {
  const { replies } = await show({ replies: { [load]: new Answer(503, { error: 'storage' }) } })
  expect(screen.getByRole('alert').textContent).toBe('Failed to load guest URLsstorageRetry')
  replies[load] = stored
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await settled()
  expect(listed()).toHaveLength(3)
})

test('before the first state there is no word of missing guests', async () => {
  await show({ live: aLive({}, { initialDataReceived: false }) })
  expect(screen.getByRole('status', { name: 'Loading guest URLs' })).toBeDefined()
  cleanup()
  await show({ live: aLive() })
  expect(screen.getByText('No guests yet')).toBeDefined()
})

test('[spec 2 §6] a viewer sees that administrator access is needed, and nothing is asked for', async () => {
  const { calls } = await show({ status: aStatus({ user: viewer }) })
  expect(screen.getByText('You need administrator access to change guest URLs.')).toBeDefined()
  expect(calls).toEqual([])
})
