// @vitest-environment happy-dom
import { type NodeConfig, type SourceKind } from '@pulse/contract'
import { act, cleanup, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Answer, settled } from '../fake-settings.tsx'
import {
  change,
  testNew,
  testStored,
  fingerprint,
  show,
  field,
  type,
  choose,
  chosen,
  button,
  click,
  problem,
  isClosed,
  showAccess,
  fillToken,
} from './fake-node-dialog.tsx'
import { aNodeConfig, aNodeWithPassword, inDialog, toasts } from './fake-nodes.tsx'

beforeEach(() => void toasts())
afterEach(cleanup)

test('a fingerprint is shown whole, in as many lines as it takes, and stays one text', async () => {
  await show('pve', { node: aNodeConfig({ fingerprint }) })
  expect(field('SHA-256 fingerprint').tagName).toBe('TEXTAREA')
  type('SHA-256 fingerprint', 'AB:CD:\n EF')
  expect(field('SHA-256 fingerprint').value).toBe('AB:CD:EF')
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
      expect(problem()[1]).toContain('Re-enter the token value')
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
    untrusted: true,
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

  test.each([
    ['pve', aNodeConfig(), 'Token value'],
    ['pmg', aNodeWithPassword('pmg', { id: 'pve-1' }), 'Password'],
  ] as const)(
    'in a stored %s the secret that must be typed again gets the focus and the reason; a typed one stays',
    async (kind, node, label) => {
      const { bodies, replies } = await show(kind, { node }, { [testStored]: refused, [testNew]: refused })
      await click('Test connection')
      await click('Trust this certificate')
      expect(field('SHA-256 fingerprint').value).toBe(fingerprint)
      expect(problem()).toEqual([
        label,
        expect.stringContaining(': the address or certificate setting changed'),
      ])
      expect(document.activeElement).toBe(field(label))
      type('SHA-256 fingerprint', '')
      type(label, 'typed')
      await click('Test connection')
      replies[testNew] = { status: 'success', message: 'Fine', fingerprint }
      await click('Trust this certificate')
      expect(field(label).value).toBe('typed')
      expect(bodies(testNew).at(-1)).toMatchObject({ fingerprint, verifySSL: true })
      expect(inDialog().getByRole('status').textContent).toBe('Fine')
    },
  )

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

test('[spec 2 §3] the form starts empty each time', async () => {
  const node: NodeConfig = aNodeConfig()
  await show('pve', { node })
  cleanup()
  await show('pve')
  expect(field('Host URL').value).toBe('')
  type('Host URL', 'pve1')
  await click('Continue')
  expect(chosen('Setup mode')).toEqual(['Quick setup'])
})
