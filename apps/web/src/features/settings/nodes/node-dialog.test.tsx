// @vitest-environment happy-dom
import { monitorFlags, type NodeConfig, sourceKinds, type SourceKind } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Answer, settled } from '../fake-settings.tsx'
import type { Family } from '../families.ts'
import { aNodeConfig, aNodeWithPassword, inDialog, renderWithLive, toasts } from './fake-nodes.tsx'
import { NodeDialog, type NodeDialogSubject } from './node-dialog.tsx'

const create = 'POST /api/config/nodes'
const change = 'PUT /api/config/nodes/pve-1'
const testNew = 'POST /api/config/nodes/test-connection'
const testStored = 'POST /api/config/nodes/pve-1/test'
const fingerprint = 'AB:CD:EF'

function Opened({ kind, subject }: { kind: SourceKind; subject: NodeDialogSubject }) {
  const [shown, setShown] = useState<NodeDialogSubject | undefined>(subject)
  return <NodeDialog kind={kind} subject={shown} onClose={() => setShown(undefined)} />
}

async function show(
  kind: SourceKind,
  subject: NodeDialogSubject = {},
  replies: Record<string, unknown> = {},
  families?: readonly Family[],
) {
  const view = await renderWithLive(<Opened kind={kind} subject={subject} />, {
    replies,
    ...(families && { families }),
  })
  return {
    ...view,
    bodies: (call: string) => view.calls.filter((one) => one.call === call).map(({ body }) => body),
  }
}

const field = (label: string) =>
  inDialog().getByLabelText<HTMLInputElement>(label, { selector: 'input:not([type=radio])' })
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const choose = (label: string) => fireEvent.click(inDialog().getByRole('radio', { name: label }))
const chosen = (group: string) =>
  within(inDialog().getByRole('group', { name: group, hidden: false }))
    .getAllByRole<HTMLInputElement>('radio')
    .filter(({ checked }) => checked)
    .map(({ value }) => value)
const button = (name: string) => inDialog().getByRole('button', { name })
async function click(name: string) {
  fireEvent.click(button(name))
  await settled()
}
const problem = () => {
  const wrong = screen.getByRole('dialog').querySelector('[aria-invalid=true]')!
  return [
    document.querySelector(`label[for="${wrong.id}"]`)!.textContent,
    document.getElementById(wrong.getAttribute('aria-describedby')!)!.textContent,
  ]
}
const isClosed = () => screen.queryByRole('dialog') === null

/** The second step of a new node, by hand. */
async function showAccess(
  kind: SourceKind,
  subject: NodeDialogSubject = {},
  ...given: [replies?: Record<string, unknown>, families?: readonly Family[]]
) {
  const view = await show(kind, subject, ...given)
  if (!subject.server) {
    type('Host URL', 'pve1')
    await click('Continue')
  }
  if (kind !== 'pmg') choose('Manual')
  return view
}

function fillToken() {
  type('Token ID', 'mon@pam!pulse')
  type('Token value', 'secret')
}

beforeEach(() => void toasts())
afterEach(cleanup)

describe('[spec 2 §3] a new node', () => {
  test.each([
    ['pve', 'Add Proxmox VE node', 'token'],
    ['pbs', 'Add Proxmox Backup Server', 'token'],
    ['pmg', 'Add Proxmox Mail Gateway', 'password'],
  ] as const)('%s: %s opens on a %s', async (kind, title, authType) => {
    await showAccess(kind)
    expect(inDialog().getByRole('heading', { level: 2 }).textContent).toBe(title)
    const ways = inDialog()
      .getAllByRole<HTMLInputElement>('radio')
      .filter(({ checked }) => checked)
    expect(ways.at(-1)!.value).toBe(authType)
  })

  test.each(sourceKinds)('%s offers every flag with its default', async (kind) => {
    await showAccess(kind)
    const flags = inDialog()
      .getAllByRole<HTMLInputElement>('checkbox')
      .filter((box) => !box.getAttribute('aria-label')!.includes('temperature helper'))
    expect(flags.map(({ checked }) => checked)).toEqual(Object.values(monitorFlags[kind]))
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

  test('what was wrong with one way in goes with it', async () => {
    await showAccess(
      'pve',
      {},
      { [create]: new Answer(409, { error: 'A node named "pve1" exists already.' }) },
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
  })

  test.each([
    ['pve', ['Virtual machines', 'Containers', 'Storage']],
    ['pbs', []],
    ['pmg', []],
  ] as const)('%s offers nothing that is not collected yet, and keeps its default', async (kind, labels) => {
    const { bodies } = await showAccess(kind, {}, { [create]: { status: 'success', id: 'x' } }, [])
    const flags = inDialog().queryAllByRole('checkbox')
    expect(flags.map((flag) => flag.getAttribute('aria-label'))).toEqual(labels)
    expect(inDialog().queryByText('Monitor') !== null).toBe(labels.length > 0)
    if (kind === 'pmg') {
      type('Username', 'mon')
      type('Password', 'secret')
    } else fillToken()
    await click('Add node')
    expect(bodies(create)).toMatchObject([monitorFlags[kind]])
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
    const { bodies } = await showAccess('pve', {}, { [create]: answer.promise })
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
  [{ error: 'A node named "pve1" exists already.' }, 'A node named "pve1" exists already.'],
  ['<html><body>Conflict</body></html>', 'Request failed with status 409'],
  ['', 'Operation failed'],
])('[spec 2 §8] what the server refuses is shown and nothing is lost: %o', async (body, message) => {
  await showAccess('pve', {}, { [create]: new Answer(409, body) })
  fillToken()
  await click('Add node')
  expect(inDialog().getByRole('alert').textContent).toBe(message)
  expect(field('Token value').value).toBe('secret')
})

describe('an edited node', () => {
  const node = aNodeConfig({ fingerprint, monitorVMs: false })

  test('shows what is stored but no secret', async () => {
    await show('pve', { node })
    expect(inDialog().getByRole('heading', { level: 2 }).textContent).toBe('Edit Proxmox VE node')
    expect([field('Host URL').value, field('Name').value]).toEqual([node.host, 'pve1'])
    expect([field('Token ID').value, field('Token value').value]).toEqual([node.tokenName, ''])
    expect(field('Token value').placeholder).toBe('••••••••')
    expect(field('SHA-256 fingerprint').value).toBe(fingerprint)
    expect(field('Virtual machines').checked).toBe(false)
  })

  test('[spec 2 §5] a blank secret keeps the stored one', async () => {
    const { bodies } = await show('pve', { node }, { [change]: { status: 'success', id: 'pve-1' } })
    type('Token ID', 'other@pam!pulse')
    await click('Update node')
    expect(bodies(change)).toHaveLength(1)
    expect(bodies(change)[0]).toMatchObject({ host: node.host, tokenName: 'other@pam!pulse', fingerprint })
    expect(bodies(change)[0]).not.toHaveProperty('tokenValue')
    expect(toasts()).toEqual(['success: Node updated successfully'])
  })

  test.each([
    ['the address', () => type('Host URL', 'https://192.0.2.11:8006')],
    ['the fingerprint', () => type('SHA-256 fingerprint', 'EF')],
    ['the certificate check', () => fireEvent.click(inDialog().getByRole('switch'))],
  ])(
    '[S11] with another value of %s the secret is asked for before anything is sent',
    async (_what, edit) => {
      const { bodies } = await show('pve', { node }, { [change]: { status: 'success', id: 'pve-1' } })
      edit()
      expect(field('Token value').placeholder).toBe('')
      expect(inDialog().getByText(/^Required again/)).toBeDefined()
      await click('Update node')
      expect(bodies(change)).toEqual([])
      expect(problem()[0]).toBe('Token value')
      expect(problem()[1]).toContain('Enter the token value again')
      type('Token value', 'typed')
      await click('Update node')
      expect(bodies(change)).toMatchObject([{ tokenValue: 'typed' }])
    },
  )

  test('the other kind of account needs its secret', async () => {
    const { calls } = await show('pbs', { node: aNodeWithPassword('pbs') })
    choose('API token')
    type('Token ID', 'mon@pbs!pulse')
    await click('Update node')
    expect(problem()).toEqual(['Token value', 'Token ID and token value are required'])
    expect(calls).toEqual([])
  })

  test('[spec 2 §4] without a newly typed secret the stored node is tested, which a note says', async () => {
    const { bodies } = await show('pve', { node }, { [testStored]: { status: 'success', message: 'Fine' } })
    await click('Test connection')
    expect(inDialog().getByRole('status').textContent).toBe('Fine')
    type('Host URL', 'elsewhere')
    expect(inDialog().queryByRole('status')).toBeNull()
    await click('Test connection')
    expect(inDialog().getByRole('status').textContent).toContain('The saved settings were tested.')
    expect(bodies(testStored)).toHaveLength(2)
    expect(bodies(testNew)).toEqual([])
  })

  test('[spec 2 §4] with a newly typed secret what was typed is tested', async () => {
    const { bodies } = await show('pve', { node }, { [testNew]: { status: 'success', message: 'Fine' } })
    type('Token value', 'new one')
    await click('Test connection')
    expect(bodies(testNew)).toMatchObject([{ host: node.host, tokenValue: 'new one', fingerprint }])
  })
})

describe('[spec 2 §4] a test in the dialog', () => {
  test('[spec 2 §4] finds a cluster', async () => {
    const reply = { status: 'success', message: '', isCluster: true, clusterName: 'lab', clusterNodeCount: 3 }
    await showAccess('pve', {}, { [testNew]: reply })
    fillToken()
    await click('Test connection')
    expect(inDialog().getByRole('status').textContent).toBe(
      'Cluster detected! All cluster nodes will be automatically added.Cluster lab with 3 nodes',
    )
  })

  test('says Testing... and then why it failed', async () => {
    const answer = Promise.withResolvers()
    await showAccess('pve', {}, { [testNew]: answer.promise })
    fillToken()
    await act(async () => button('Test connection').click())
    expect(button('Testing...').hasAttribute('disabled')).toBe(true)
    answer.resolve(new Answer(400, { error: 'Authentication failed: check token ID and secret' }))
    await settled()
    expect(inDialog().getByRole('alert').textContent).toBe('Authentication failed: check token ID and secret')
  })

  test('a result that no longer fits what is typed goes away; name and flags do not matter', async () => {
    await showAccess('pve', {}, { [testNew]: { status: 'success', message: 'Fine' } })
    fillToken()
    await click('Test connection')
    type('Name', 'another')
    fireEvent.click(inDialog().getByRole('checkbox', { name: 'Storage' }))
    expect(inDialog().getByRole('status').textContent).toBe('Fine')
    type('Token ID', 'other@pam!pulse')
    expect(inDialog().queryByRole('status')).toBeNull()
  })
})

describe('Trust this certificate', () => {
  const refused = new Answer(400, {
    error: 'pve1: the certificate is self-signed; enter its fingerprint to trust it',
    details: { fingerprint },
  })

  test('shows the fingerprint of the failed test first, then pins it and tests again', async () => {
    const { bodies, replies } = await showAccess('pve', {}, { [testNew]: refused })
    fillToken()
    await click('Test connection')
    expect(inDialog().getByText(fingerprint)).toBeDefined()
    expect(field('SHA-256 fingerprint').value).toBe('')
    replies[testNew] = { status: 'success', message: 'Fine', fingerprint }
    await click('Trust this certificate')
    expect(field('SHA-256 fingerprint').value).toBe(fingerprint)
    expect(bodies(testNew)).toMatchObject([{ fingerprint: '' }, { fingerprint, verifySSL: true }])
    expect(inDialog().getByRole('status').textContent).toBe('Fine')
    expect(inDialog().queryByRole('button', { name: 'Trust this certificate' })).toBeNull()
  })

  test('is offered where nothing was verified, and turns verification on', async () => {
    const server = { ip: '192.0.2.9', port: 8006, type: 'pve', version: '9.0' } as const
    await showAccess('pve', { server }, { [testNew]: { status: 'success', message: 'Fine', fingerprint } })
    type('Token ID', 'mon@pam!pulse')
    type('Token value', 'secret')
    await click('Test connection')
    await click('Trust this certificate')
    expect(inDialog().getByRole('switch').getAttribute('aria-checked')).toBe('true')
    expect(field('SHA-256 fingerprint').value).toBe(fingerprint)
  })

  test('in a stored node that took any certificate it is pinned and saved without the secret', async () => {
    const node = aNodeConfig({ verifySSL: false })
    const { bodies } = await show(
      'pve',
      { node },
      {
        [testStored]: { status: 'success', message: 'Fine', fingerprint },
        [change]: { status: 'success', id: 'pve-1' },
      },
    )
    await click('Test connection')
    await click('Trust this certificate')
    await click('Update node')
    expect(bodies(change)).toMatchObject([{ fingerprint }])
    expect(bodies(testStored)).toHaveLength(1)
  })

  test('is not offered when something else was wrong', async () => {
    const answer = new Answer(400, { error: 'Authentication failed', details: { fingerprint } })
    await showAccess('pve', {}, { [testNew]: answer })
    fillToken()
    await click('Test connection')
    expect(inDialog().queryByRole('button', { name: 'Trust this certificate' })).toBeNull()
  })
})

describe('a server that registered itself', () => {
  const registered = (host: string, of: SourceKind = 'pve') => ({
    type: 'node_auto_registered' as const,
    data: { type: of, host },
  })

  test('closes the dialog that waits for it', async () => {
    const { live } = await show('pve')
    type('Host URL', 'pve1')
    await act(async () => live.events.emit(registered('https://pve1:8006')))
    expect(isClosed()).toBe(true)
  })

  test('leaves other dialogs alone', async () => {
    const { live } = await show('pve', { node: aNodeConfig() })
    act(() => live.events.emit(registered(aNodeConfig().host)))
    cleanup()
    const other = await show('pve')
    type('Host URL', 'pve1')
    act(() => other.live.events.emit(registered('https://pve2:8006')))
    act(() => other.live.events.emit(registered('https://pve1:8006', 'pbs')))
    expect(isClosed()).toBe(false)
    expect(live).not.toBe(other.live)
  })
})

test('[spec 2 §3] the form starts anew each time', async () => {
  const node: NodeConfig = aNodeConfig()
  await show('pve', { node })
  cleanup()
  await show('pve')
  expect(field('Host URL').value).toBe('')
  type('Host URL', 'pve1')
  await click('Continue')
  expect(chosen('Setup mode')).toEqual(['auto'])
})
