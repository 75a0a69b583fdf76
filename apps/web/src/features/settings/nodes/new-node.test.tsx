// @vitest-environment happy-dom
import { monitorFlags, sourceKinds } from '@pulse/contract'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Answer, settled } from '../fake-settings.tsx'
import {
  create,
  fingerprint,
  testNew,
  show,
  field,
  type,
  choose,
  button,
  click,
  problem,
  isClosed,
  showAccess,
  fillToken,
} from './fake-node-dialog.tsx'
import { inDialog, toasts } from './fake-nodes.tsx'

const passed = { status: 'success', message: 'Fine' }

beforeEach(() => void toasts())
afterEach(cleanup)

describe('[spec 2 §3] a new node', () => {
  test.each([
    ['pve', 'Add Proxmox VE node', 'API token'],
    ['pbs', 'Add Proxmox Backup Server', 'API token'],
    ['pmg', 'Add Proxmox Mail Gateway', 'Password'],
  ] as const)('%s: %s opens on a %s', async (kind, title, authType) => {
    await showAccess(kind)
    expect(inDialog().getByRole('heading', { level: 2 }).textContent).toBe(title)
    const ways = inDialog().getAllByRole('radio', { checked: true })
    expect(ways.at(-1)!.textContent).toBe(authType)
  })

  test.each(sourceKinds)('%s offers every flag with its default', async (kind) => {
    await showAccess(kind)
    const flags = inDialog()
      .getAllByRole<HTMLInputElement>('checkbox')
      .filter((box) => !box.getAttribute('aria-label')!.includes('temperature helper'))
    expect(flags.map(({ checked }) => checked)).toEqual(Object.values(monitorFlags[kind]))
  })

  test.each([
    ['pve', 'Virtual machines, Containers, Storage, Backups and snapshots, Physical disks: off'],
    ['pbs', 'Datastores, Sync jobs, Verify jobs, Prune jobs, Garbage collection'],
    ['pmg', 'Mail statistics, Mail queues, Quarantine, Statistics by domain: off'],
  ] as const)('[spec 2 §9] what of a %s is monitored by default', async (kind, said) => {
    await showAccess(kind)
    const flags = inDialog()
      .getAllByRole<HTMLInputElement>('checkbox')
      .map((box) => ({ label: box.getAttribute('aria-label')!, checked: box.checked }))
      .filter(({ label }) => !label.includes('temperature helper'))
    expect(flags.map(({ label, checked }) => (checked ? label : `${label}: off`)).join(', ')).toBe(said)
  })

  test('[spec 2 §5] is begun by its address, which is required; nothing is asked for before', async () => {
    const { calls } = await show('pve')
    expect(inDialog().getAllByRole('textbox')).toHaveLength(1)
    expect(inDialog().queryByRole('radio')).toBeNull()
    type('Host URL', ' ')
    await click('Continue')
    expect(problem()).toEqual(['Host URL', 'Host is required'])
    expect(document.activeElement).toBe(field('Host URL'))
    expect(calls).toEqual([])
  })

  test('then by a script or by hand; the address can be changed without losing the rest', async () => {
    await show('pve')
    type('Host URL', 'pve1')
    await click('Continue')
    expect(inDialog().getByRole('button', { name: 'Generate command' })).toBeDefined()
    expect(inDialog().queryByRole('button', { name: 'Add node' })).toBeNull()
    expect(document.activeElement).toBe(inDialog().getByRole('radio', { name: 'Quick setup' }))
    choose('Manual')
    fillToken()
    await click('Change the host URL')
    expect(document.activeElement).toBe(field('Host URL'))
    type('Host URL', 'pve2')
    await click('Continue')
    expect(inDialog().getByText('pve2')).toBeDefined()
    expect(field('Token value').value).toBe('secret')
  })

  test('is proposed under its own name, unless one was typed', async () => {
    const reply = { status: 'success', message: 'Fine', name: 'alpha' }
    const { bodies } = await showAccess(
      'pve',
      {},
      { [testNew]: reply, [create]: { status: 'success', id: 'pve-2' } },
    )
    fillToken()
    await click('Test connection')
    expect(field('Name').value).toBe('alpha')
    type('Name', 'mine')
    await click('Test connection')
    expect(field('Name').value).toBe('mine')
    await click('Add node')
    expect(bodies(create)).toMatchObject([{ name: 'mine' }])
  })

  test('is never proposed under the name of another: its address was changed while the answer was on its way, or after', async () => {
    const reply = (name: string) => ({ status: 'success', message: 'Fine', name })
    const replies: Record<string, unknown> = {}
    await showAccess('pve', {}, replies)
    const goTo = (address: string) => {
      fireEvent.click(button('Change the host URL'))
      type('Host URL', address)
      fireEvent.click(button('Continue'))
    }
    fillToken()
    const late = Promise.withResolvers()
    replies[testNew] = late.promise
    await act(async () => button('Test connection').click())
    goTo('pve2')
    late.resolve(reply('alpha'))
    await settled()
    expect(field('Name').value).toBe('')
    replies[testNew] = reply('beta')
    await click('Test connection')
    expect(field('Name').value).toBe('beta')
    goTo('pve3')
    expect(field('Name').value).toBe('')
  })

  test('what was wrong with one way in goes with it', async () => {
    await showAccess(
      'pve',
      {},
      { [testNew]: passed, [create]: new Answer(409, { error: 'A node named "pve1" exists already.' }) },
    )
    await click('Add node')
    expect(problem()).toEqual(['Token ID', 'Token ID and token value are required'])
    choose('Password')
    expect(screen.getByRole('dialog').querySelector('[aria-invalid=true]')).toBeNull()
    choose('API token')
    fillToken()
    await click('Add node')
    expect(inDialog().getByRole('alert')).toBeDefined()
    choose('Quick setup')
    expect(inDialog().queryByRole('alert')).toBeNull()
    choose('Manual')
    await click('Add node')
    expect(inDialog().getByRole('alert')).toBeDefined()
    await click('Change the host URL')
    expect(inDialog().queryByRole('alert')).toBeNull()
  })

  test('[design exceptions] a mail gateway’s token comes with a note', async () => {
    await showAccess('pmg')
    expect(inDialog().queryByText('Mail gateways have no API tokens')).toBeNull()
    choose('API token')
    expect(inDialog().getByText('Mail gateways have no API tokens')).toBeDefined()
    expect(field('Token ID')).toBeDefined()
  })

  test('is saved with what was typed; Saving... meanwhile', async () => {
    const answer = Promise.withResolvers()
    const { bodies } = await showAccess('pve', {}, { [testNew]: passed, [create]: answer.promise })
    fillToken()
    type('Name', 'first')
    fireEvent.click(inDialog().getByRole('checkbox', { name: 'Physical disks' }))
    await act(async () => button('Add node').click())
    expect(button('Saving...').hasAttribute('disabled')).toBe(true)
    answer.resolve({ status: 'success', id: 'pve-2' })
    await settled()
    expect(bodies(create)).toEqual([
      {
        type: 'pve',
        name: 'first',
        host: 'pve1',
        fingerprint: '',
        verifySSL: true,
        tokenName: 'mon@pam!pulse',
        tokenValue: 'secret',
        ...monitorFlags.pve,
        monitorPhysicalDisks: true,
      },
    ])
    expect(toasts()).toEqual(['success: Node added successfully'])
    expect(isClosed()).toBe(true)
  })

  test('[spec 2 §9] a found server arrives filled in, without verification', async () => {
    const server = { ip: '192.0.2.9', port: 8007, type: 'pbs', version: '4.0', hostname: 'pbs9' } as const
    await showAccess('pbs', { server })
    expect(inDialog().getByText('https://192.0.2.9:8007')).toBeDefined()
    expect(field('Name').value).toBe('pbs9')
    expect(inDialog().getByRole('switch').getAttribute('aria-checked')).toBe('false')
  })
})

describe('[spec 2 §5] what is missing is said at its field, and nothing is sent', () => {
  test.each([
    ['Token ID', 'Token ID and token value are required', () => type('Token ID', '')],
    ['Token value', 'Token ID and token value are required', () => type('Token value', '')],
    ['Username', 'Username and password are required', () => choose('Password')],
    [
      'Password',
      'Username and password are required',
      () => {
        choose('Password')
        type('Username', 'mon')
      },
    ],
  ])('%s: %s', async (label, message, spoil) => {
    for (const action of ['Test connection', 'Add node']) {
      const { calls } = await showAccess('pve')
      fillToken()
      spoil()
      await click(action)
      expect(problem()).toEqual([label, message])
      expect(document.activeElement).toBe(field(label))
      expect(calls).toEqual([])
      cleanup()
    }
  })

  test('the message goes when the field is filled', async () => {
    await showAccess('pve')
    await click('Add node')
    expect(problem()).toEqual(['Token ID', 'Token ID and token value are required'])
    fillToken()
    expect(screen.getByRole('dialog').querySelector('[aria-invalid=true]')).toBeNull()
  })
})

test.each([
  ['host', 'Host URL', testNew],
  ['host', 'Host URL', create],
  ['tokenName', 'Token ID', testNew],
])('what the server refuses of %s is said at %s, which has the focus (%s)', async (name, label, call) => {
  const text = 'No such address: enter another one.'
  const refusal = new Answer(400, { error: text, code: 'validation_failed', details: { [name]: text } })
  await showAccess('pve', {}, { [testNew]: passed, [call]: refusal })
  fillToken()
  await click('Add node')
  expect(problem()).toEqual([label, text])
  expect(document.activeElement).toBe(field(label))
  type(label, 'other')
  expect(screen.getByRole('dialog').querySelector('[aria-invalid=true]')).toBeNull()
})

describe('Add node tests the connection first', () => {
  const works = { status: 'success', message: 'Fine', fingerprint }
  const refused = new Answer(400, { error: 'pve1: self-signed', untrusted: true, details: { fingerprint } })
  const away = new Answer(400, { error: 'pve1 cannot be reached' })
  const added = { [create]: { status: 'success', id: 'pve-2' } }

  test('and saves what works', async () => {
    const { calls } = await showAccess('pve', {}, { [testNew]: works, ...added })
    fillToken()
    await click('Add node')
    expect(calls.map(({ call }) => call)).toEqual([testNew, create])
    expect(isClosed()).toBe(true)
  })

  test('and not again what passed a test already, unless it was changed since', async () => {
    const { bodies } = await showAccess(
      'pve',
      {},
      { [testNew]: works, [create]: new Answer(409, { error: 'Taken' }) },
    )
    fillToken()
    await click('Test connection')
    await click('Add node')
    expect([bodies(testNew), bodies(create)].map(({ length }) => length)).toEqual([1, 1])
    type('Token value', 'other')
    await click('Add node')
    expect([bodies(testNew), bodies(create)].map(({ length }) => length)).toEqual([2, 2])
  })

  test.each(['pve', 'pmg'] as const)(
    'and shows the certificate of a %s in the same dialog: nothing is saved before it is trusted, no secret is lost',
    async (kind) => {
      const { bodies, replies } = await showAccess(kind, {}, { [testNew]: refused, ...added })
      const secret = kind === 'pmg' ? 'Password' : 'Token value'
      type(kind === 'pmg' ? 'Username' : 'Token ID', 'mon')
      type(secret, 'typed')
      await click('Add node')
      expect(bodies(create)).toEqual([])
      expect(inDialog().getByText(fingerprint)).toBeDefined()
      replies[testNew] = works
      await click('Trust this certificate')
      expect(field(secret).value).toBe('typed')
      await click('Add node')
      expect(bodies(create)).toMatchObject([{ fingerprint, verifySSL: true }])
    },
  )

  test('and what cannot be reached is saved on purpose only', async () => {
    const { bodies } = await showAccess('pve', {}, { [testNew]: away, ...added })
    fillToken()
    expect(inDialog().queryByRole('button', { name: 'Save anyway' })).toBeNull()
    await click('Add node')
    expect(inDialog().getByRole('alert').textContent).toBe('pve1 cannot be reached')
    expect(bodies(create)).toEqual([])
    await click('Save anyway')
    expect([bodies(testNew), bodies(create)].map(({ length }) => length)).toEqual([1, 1])
    expect(isClosed()).toBe(true)
  })

  test('and saves nothing when what is tested was changed meanwhile', async () => {
    const answer = Promise.withResolvers()
    const { bodies } = await showAccess('pve', {}, { [testNew]: answer.promise, ...added })
    fillToken()
    await act(async () => button('Add node').click())
    expect(button('Add node').hasAttribute('disabled')).toBe(true)
    type('Token value', 'other')
    answer.resolve(works)
    await settled()
    expect(bodies(create)).toEqual([])
    expect(button('Add node').hasAttribute('disabled')).toBe(false)
  })
})

test.each([
  [{ error: 'A node named "pve1" exists already.' }, 'A node named "pve1" exists already.'],
  ['<html><body>Conflict</body></html>', 'Request failed with status 409'],
  ['', 'Operation failed'],
])('[spec 2 §8] what the server refuses is shown and nothing is lost: %o', async (body, message) => {
  await showAccess('pve', {}, { [testNew]: passed, [create]: new Answer(409, body) })
  fillToken()
  await click('Add node')
  expect(inDialog().getByRole('alert').textContent).toBe(message)
  expect(field('Token value').value).toBe('secret')
})
