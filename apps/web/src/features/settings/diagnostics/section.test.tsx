// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Answer, aStatus, renderSettings, settled, viewer } from '../fake-settings.tsx'
import { aDiagnosedNode, aResult, aTokenCheck, takeToasts } from './fake-diagnostics.ts'
import DiagnosticsSection from './section.tsx'

const run = 'GET /api/diagnostics'
const temperature = { 'GET /api/temperature/nodes': { nodes: [] } }

const show = (replies: Record<string, unknown> = {}) =>
  renderSettings(<DiagnosticsSection />, { replies: { ...temperature, ...replies } })

async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}
async function showResult(result = aResult()) {
  const view = await show({ [run]: result })
  await click('Run Diagnostics')
  return view
}
const panels = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
const panel = (name: string) => within(screen.getByRole('region', { name }))

beforeEach(() => {
  takeToasts()
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2026-01-02T10:00:00Z')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('[spec 2 §2] the Diagnostics section', () => {
  test('tells a viewer that it needs administrator access, and asks nothing', async () => {
    const { calls } = await renderSettings(<DiagnosticsSection />, { status: aStatus({ user: viewer }) })
    expect(screen.getByText('You need administrator access to run diagnostics.')).toBeDefined()
    expect(screen.queryByRole('button')).toBeNull()
    expect(calls).toEqual([])
  })

  test('runs only when asked to', async () => {
    const { calls } = await show()
    expect(screen.getByRole('heading', { name: 'Not run yet' })).toBeDefined()
    expect(calls.map(({ call }) => call)).not.toContain(run)
  })

  test('says Running... while it runs', async () => {
    const answer = Promise.withResolvers()
    await show({ [run]: answer.promise })
    fireEvent.click(screen.getByRole('button', { name: 'Run Diagnostics' }))
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Running...' })
    expect(button.disabled).toBe(true)
    expect(screen.getByRole('status', { name: 'Running diagnostics' })).toBeDefined()
    answer.resolve(aResult())
    await settled()
    expect(screen.getByRole('button', { name: 'Run Diagnostics' })).toBeDefined()
    expect(screen.queryByRole('status', { name: 'Running diagnostics' })).toBeNull()
  })

  test('shows system information', async () => {
    await showResult()
    const system = screen.getByRole('region', { name: 'System information' })
    const pairs = [...system.querySelectorAll('dl > div')].map(({ children }) =>
      [...children].map(({ textContent }) => textContent),
    )
    expect(pairs).toEqual([
      ['Version', '0.1.0'],
      ['Runtime', 'Node.js 26.10.0'],
      ['Uptime', '1d 2h'],
      ['Operating system', 'Linux'],
      ['Architecture', '64-bit x86'],
      ['Processors', '4'],
      ['Memory in use', '96 MB'],
      ['Active handles', '31'],
    ])
  })

  test('blocks that are absent or empty show nothing', async () => {
    await showResult()
    expect(panels().filter((title) => !title!.startsWith('No '))).toEqual([
      'Health check',
      'System information',
      'Connections',
      'API token check',
      'Temperature helper',
      'Pulse itself',
    ])
    expect(screen.getByRole('heading', { name: 'No connections' })).toBeDefined()
  })

  test('counts the connections that answer, those that do not first', async () => {
    await showResult(
      aResult({
        nodes: [aDiagnosedNode(), aDiagnosedNode({ id: 'c2', name: 'lost', connected: false })],
        pbs: [{ ...aDiagnosedNode({ id: 'c3', name: 'backup' }) }],
      }),
    )
    expect(panel('Health check').getByRole('status').textContent).toContain('2 of 3 connections answer')
    const names = panel('Connections').getAllByRole('article')
    expect(names.map((card) => card.querySelector('h3')!.textContent)).toEqual([
      'lostPVENot connected',
      'prodPVEConnected',
      'backupPBSConnected',
    ])
  })

  test('[spec 2 §3] shows how alerts are set, with what is missing', async () => {
    const check = {
      enabled: true,
      activationState: 'active',
      active: 12,
      acknowledged: 2,
      historyEntries: 3_400,
      legacyThresholdsDetected: false,
      legacyThresholdSources: [] as string[],
      legacyScheduleSettings: [] as string[],
      missingCooldown: true,
      missingGroupingWindow: false,
      notes: ['There is no cooldown.'],
    } as const
    await showResult(aResult({ alerts: { ...check, notes: [...check.notes] } }))
    const pairs = [...screen.getByRole('region', { name: 'Alerts' }).querySelectorAll('dl > div')].map(
      ({ children }) => [...children].map(({ textContent }) => textContent),
    )
    expect(pairs).toEqual([
      ['State', 'Active'],
      ['Active', '12'],
      ['Acknowledged', '2'],
      ['In the history', '3,400'],
      ['Cooldown', 'Missing'],
      ['Grouping window', 'Set'],
    ])
    expect(panel('Alerts').getByText('There is no cooldown.')).toBeDefined()
  })

  test('shows problems and notes', async () => {
    await showResult(aResult({ errors: ['The key file is damaged.'], notes: ['Nothing is watched yet.'] }))
    const items = (name: string) =>
      within(screen.getByRole('list', { name }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
    expect(items('Problems')).toEqual(['The key file is damaged.'])
    expect(items('Notes')).toEqual(['Nothing is watched yet.'])
  })
})

describe('[spec 2 §8] a failed run', () => {
  test('says Failed to run diagnostics, and keeps the reason on the page', async () => {
    const { replies } = await show({ [run]: new Answer(500, { error: 'out of memory' }) })
    await click('Run Diagnostics')
    expect(takeToasts()).toEqual(['Failed to run diagnostics'])
    expect(panel('Health check').getByText('out of memory')).toBeDefined()
    replies[run] = aResult()
    await click('Run Diagnostics')
    expect(takeToasts()).toEqual([])
    expect(screen.queryByText('out of memory')).toBeNull()
    expect(screen.getByRole('region', { name: 'System information' })).toBeDefined()
  })

  test('leaves the result of the run before', async () => {
    const { replies } = await showResult()
    replies[run] = new Answer(500, { error: 'out of memory' })
    await click('Run Diagnostics')
    expect(takeToasts()).toEqual(['Failed to run diagnostics'])
    expect(screen.getByRole('region', { name: 'System information' })).toBeDefined()
  })
})

describe('API tokens', () => {
  const rows = () => panel('API token check').getAllByRole('row').slice(1)
  const cellsOf = (row: HTMLElement) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)

  test('[spec 2 §3] each with name, hint, source, created, last used and the hosts that use it', async () => {
    const apiTokens = aTokenCheck({
      notes: ['1 token was never used: revoke those you do not need.'],
      usage: [{ tokenId: 't1', hostCount: 7, hosts: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7'] }],
    })
    await showResult(aResult({ apiTokens }))
    expect(cellsOf(rows()[0]!)).toEqual([
      'grafana',
      'ab12cd…ef34',
      'Created here',
      'yesterday',
      'Never',
      'h1, h2, h3, h4, h5, +2 moreShared: give each host a token of its own',
    ])
    expect(screen.getByText('1 token was never used: revoke those you do not need.')).toBeDefined()
  })

  test.each([
    { given: {}, warns: false },
    { given: { recommendTokenSetup: true }, warns: true },
    { given: { recommendTokenRotation: true }, warns: true },
  ])('the notes are a warning with $given: $warns', async ({ given, warns }) => {
    await showResult(aResult({ apiTokens: aTokenCheck({ notes: ['Do something.'], ...given }) }))
    const list = panel('API token check').getByRole('list', { name: 'Notes on API tokens' })
    expect(list.textContent).toBe('Do something.')
    expect(list.closest('.bg-yellow-soft') !== null).toBe(warns)
  })

  test('[design 10] below 640 px each token takes two lines', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    await showResult()
    const list = panel('API token check').getByRole('list', { name: 'Tokens and their use' })
    expect(list.textContent).toBe('grafanaab12cd…ef34Created here · used never')
  })
})
