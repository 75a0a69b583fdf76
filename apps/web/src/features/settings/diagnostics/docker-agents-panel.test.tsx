// @vitest-environment happy-dom
import type { DockerAgentCheck } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dismissToken } from '../../../parts/token-reveal/revealed-token.ts'
import { TokenReminder } from '../../../app/token-reminder.tsx'
import { Answer, aToken, renderSettings, settled } from '../fake-settings.tsx'
import { DockerAgentsPanel } from './docker-agents-panel.tsx'
import { takeToasts } from './fake-diagnostics.ts'

const prepare = 'POST /api/diagnostics/docker/prepare-token'
const prepared = {
  success: true,
  token: 'ab12cd00ef34',
  record: aToken({ id: 't9', name: 'Docker host: web1' }),
  host: { id: 'h1', name: 'web1' },
  installCommand: 'curl -fsSL x | sh -s --',
  systemdServiceSnippet: '[Service]\nEnvironment=PULSE_TOKEN=ab12cd00ef34',
  pulseURL: 'https://pulse.example.org',
}

const aCheck = (over: Partial<DockerAgentCheck> = {}): DockerAgentCheck => ({
  hostsTotal: 3,
  hostsOnline: 2,
  hostsReportingVersion: 3,
  hostsWithTokenBinding: 1,
  hostsWithoutTokenBinding: 2,
  hostsNeedingAttention: 1,
  attention: [
    {
      hostId: 'h1',
      name: 'web1',
      status: 'offline',
      agentVersion: '0.0.9',
      tokenHint: 'ab12cd…ef34',
      lastSeen: '2026-01-02T09:58:00Z',
      issues: ['The agent is older than this server.', 'No report for 12 minutes.'],
    },
  ],
  ...over,
})

const show = (check = aCheck(), replies: Record<string, unknown> = {}) =>
  renderSettings(
    <>
      <TokenReminder />
      <DockerAgentsPanel check={check} />
    </>,
    { replies },
  )
const panel = () => within(screen.getByRole('region', { name: 'Docker agents' }))
const facts = () =>
  [...screen.getByRole('region', { name: 'Docker agents' }).querySelector('dl')!.children].map(
    ({ textContent }) => textContent,
  )

/** Closes the dialog that shows the token once. */
async function closeReveal() {
  await screen.findByRole('dialog', { name: 'API token' })
  await act(async () => void fireEvent.click(screen.getByText('Close')))
}

async function press() {
  fireEvent.click(panel().getByRole('button', { name: 'Prepare token for web1' }))
  await settled()
}

beforeEach(() => {
  takeToasts()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2026-01-02T10:00:00Z')
})
afterEach(() => {
  cleanup()
  act(dismissToken)
  vi.useRealTimers()
})

describe('[spec 2 §3] the Docker agents', () => {
  test('are counted; what is not there is left out', async () => {
    await show()
    expect(facts()).toEqual(['Hosts3, 2 online', 'With a token1', 'Need attention1'])
    cleanup()
    await show(
      aCheck({
        hostsWithoutVersion: 1,
        hostsOutdatedVersion: 2,
        hostsWithStaleCommand: 1,
        hostsPendingUninstall: 1,
        recommendedAgentVersion: '0.1.0',
      }),
    )
    expect(facts().slice(3)).toEqual([
      'Without a version1',
      'Outdated2',
      'Command without an answer1',
      'To be uninstalled1',
      'Recommended agent0.1.0',
    ])
  })

  test('that want looking after are named, with what is the matter', async () => {
    await show()
    const card = within(panel().getByRole('article', { name: 'web1' }))
    expect(card.getByText('Offline')).toBeDefined()
    const issues = within(card.getByRole('list', { name: 'Issues of web1' }))
    expect(issues.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      aCheck().attention![0]!.issues,
    )
    expect(card.getByText('2 minutes ago')).toBeDefined()
  })

  test('show nothing where there are no hosts', async () => {
    await show(aCheck({ hostsTotal: 0, attention: [] }))
    expect(screen.queryByRole('region', { name: 'Docker agents' })).toBeNull()
  })

  test('come with the notes of the run', async () => {
    await show(aCheck({ notes: ['One host shares its token.'] }))
    expect(panel().getByRole('list', { name: 'Notes on Docker agents' }).textContent).toBe(
      'One host shares its token.',
    )
  })
})

describe('[spec 2 §2] preparing a token', () => {
  test('is offered for each host, also one that needs no attention', async () => {
    const fine = { hostId: 'h2', name: 'db1', status: 'online', issues: [] }
    const { calls } = await show(aCheck({ otherHosts: [fine] }), { [prepare]: prepared })
    fireEvent.click(panel().getByText('1 more host'))
    const card = within(panel().getByRole('article', { name: 'db1' }))
    expect(card.queryByRole('list')).toBeNull()
    fireEvent.click(card.getByRole('button', { name: 'Prepare token for db1' }))
    await settled()
    await closeReveal()
    expect(calls.find(({ call }) => call === prepare)!.body).toEqual({ hostId: 'h2' })
  })

  test('says Preparing token..., then shows command and service snippet', async () => {
    const answer = Promise.withResolvers()
    const { calls } = await show(aCheck(), { [prepare]: answer.promise })
    fireEvent.click(panel().getByRole('button', { name: 'Prepare token for web1' }))
    const busy = await panel().findByRole<HTMLButtonElement>('button', { name: 'Preparing token...' })
    expect(busy.disabled).toBe(true)
    answer.resolve(prepared)
    await settled()
    await closeReveal()
    expect(calls.find(({ call }) => call === prepare)!.body).toEqual({ hostId: 'h1' })
    const value = (label: string) =>
      panel().getByLabelText<HTMLInputElement | HTMLTextAreaElement>(label).value
    expect(value('Install command')).toBe(prepared.installCommand)
    expect(value('Service snippet')).toBe(prepared.systemdServiceSnippet)
    expect(panel().getAllByRole('button', { name: 'Copy' })).toHaveLength(2)
  })

  test('shows the token once, like any other', async () => {
    await show(aCheck(), { [prepare]: prepared })
    await press()
    const dialog = within(await screen.findByRole('dialog', { name: 'API token' }))
    expect(dialog.getByLabelText<HTMLInputElement>('Token').value).toBe(prepared.token)
  })

  test.each([
    { reply: new Answer(404, { error: 'unknown host' }), reason: 'unknown host' },
    { reply: { ...prepared, record: null }, reason: 'Server did not return a valid token record' },
    { reply: { ...prepared, token: '' }, reason: 'Server did not return a valid token record' },
  ])('[spec 2 §8] Failed to prepare Docker token: $reason', async ({ reply, reason }) => {
    await show(aCheck(), { [prepare]: reply })
    await press()
    expect(panel().getByRole('alert').textContent).toBe(`Failed to prepare Docker token${reason}`)
    expect(panel().queryByLabelText('Install command')).toBeNull()
  })
})
