import type { DiscoveryEnvironment, DiscoveryProgress } from '@pulse/contract'
import { fakeClock } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { aConfig } from './fixtures.ts'
import type { Finding } from './probe.ts'
import { collectProblems, problemLine } from './problems.ts'
import { scan, type ScanEdges } from './scan.ts'

const nothing: Finding = { is: 'nothing', reached: false }
const pve = (node: string): Finding => ({ is: 'server', identity: { type: 'pve', node } })

/** A scan of a fake network: a function answers for each address. */
function given(
  phases: DiscoveryEnvironment['phases'],
  network: (ip: string, port: number) => Finding | Promise<Finding>,
  change: Partial<ScanEdges> = {},
) {
  const clock = fakeClock()
  const abort = new AbortController()
  const problems = collectProblems(clock)
  const asked: string[] = []
  const progress: DiscoveryProgress[] = []
  const found: string[] = []
  let underWay = 0
  let most = 0
  const environment = { type: 'native' as const, confidence: 1, phases, warnings: [], metadata: {} }
  const result = scan(environment, {
    clock,
    config: aConfig(),
    problems,
    names: { nameOf: () => Promise.resolve(undefined) },
    signal: abort.signal,
    endsAt: clock.monotonic() + 120_000,
    probe: async (ip, port) => {
      asked.push(`${ip}:${port}`)
      most = Math.max(most, ++underWay)
      const finding = await network(ip, port)
      underWay--
      return finding
    },
    onProgress: (step) => progress.push(step),
    onServer: ({ ip }, phase) => found.push(`${phase} ${ip}`),
    ...change,
  })
  return { clock, abort, problems, asked, progress, found, result, most: () => most }
}

const manual = (...subnets: string[]) => [{ name: 'manual_subnet', subnets, confidence: 1 }]
const guess = (...subnets: string[]) => [{ name: 'fallback_common_subnets', subnets, confidence: 0.3 }]
const lines = (problems: ScanEdges['problems']) => problems.all().map(problemLine)

describe('[collection 5.3] a scan', () => {
  test('asks every address of the subnet at both ports, and no other', async () => {
    const { clock, asked, result } = given(manual('127.31.1.0/29'), () => nothing)
    await clock.advance(5_000)
    expect(await result).toEqual([])
    const expected = [1, 2, 3, 4, 5, 6].flatMap((n) => [`127.31.1.${n}:8006`, `127.31.1.${n}:8007`])
    expect(asked.toSorted()).toEqual(expected)
  })

  test('tells what it found, in the order of addresses, with the name the name server knows', async () => {
    const network = (ip: string, port: number) => (port === 8006 && /[25]$/.test(ip) ? pve('pve') : nothing)
    const nameOf = (ip: string) => Promise.resolve(ip.endsWith('5') ? 'five.lan' : undefined)
    const { clock, result, found } = given(manual('127.31.1.0/29'), network, { names: { nameOf } })
    await clock.advance(5_000)
    const shared = { port: 8006, type: 'pve', version: 'Unknown' }
    expect(await result).toEqual([
      { ip: '127.31.1.2', hostname: 'pve', ...shared },
      { ip: '127.31.1.5', hostname: 'five.lan', ...shared },
    ])
    expect(found.toSorted()).toEqual(['manual_subnet 127.31.1.2', 'manual_subnet 127.31.1.5'])
  })

  test('does not ask the name server when that is switched off', async () => {
    const nameOf = () => Promise.reject(new Error('asked'))
    const config = aConfig({ enable_reverse_dns: false })
    const { clock, result } = given(manual('127.31.1.1/32'), () => pve('a'), { names: { nameOf }, config })
    await clock.advance(1_000)
    expect(await result).toMatchObject([{ hostname: 'a' }, { hostname: 'a' }])
  })

  test('never has more connections under way than allowed, nor makes more than 250 a second', async () => {
    const config = aConfig({ max_concurrent: 7 })
    const { clock, asked, most } = given(manual('127.31.1.0/24'), () => Promise.resolve(nothing), { config })
    await clock.advance(1_000)
    expect(asked.length).toBeGreaterThan(200)
    expect(asked.length).toBeLessThanOrEqual(252)
    expect(most()).toBeLessThanOrEqual(7)
  })

  test('shows its progress from nothing to everything, at most twice a second in between', async () => {
    const { clock, progress, result } = given(manual('127.31.1.0/24'), () => nothing)
    await clock.advance(10_000)
    await result
    expect(progress[0]).toEqual({
      current_phase: 'manual_subnet',
      phase_number: 1,
      total_phases: 1,
      targets_in_phase: 254,
      processed_in_phase: 0,
      total_targets: 254,
      total_processed: 0,
      servers_found: 0,
      percentage: 0,
    })
    expect(progress.at(-1)).toMatchObject({ processed_in_phase: 254, total_processed: 254, percentage: 100 })
    expect(progress.length).toBeLessThan(8)
    const steps = progress.map(({ percentage }) => percentage)
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
  })
})

describe('[16.34] hosts that are not there are not blamed', () => {
  test('silence and refusal are no errors', async () => {
    const network = (ip: string): Finding => ({ is: 'nothing', reached: ip.endsWith('2') })
    const { clock, problems, result } = given(manual('127.31.1.0/29'), network)
    await clock.advance(5_000)
    await result
    expect(problems.all()).toEqual([])
  })

  test('what listens there and is none of ours is one line, with its place', async () => {
    const network = (ip: string, port: number): Finding =>
      ip.endsWith('.3') && port === 8006
        ? { is: 'problem', type: 'no_identification', message: 'It is no Proxmox server.' }
        : nothing
    const { clock, problems, result } = given(manual('127.31.1.0/29'), network)
    await clock.advance(5_000)
    await result
    expect(lines(problems)).toEqual(['Manual subnet [127.31.1.3:8006]: It is no Proxmox server.'])
    expect(problems.all()).toMatchObject([
      { ip: '127.31.1.3', port: 8006, phase: 'manual_subnet', error_type: 'no_identification' },
    ])
  })

  test('a whole network of strangers is cut short', async () => {
    const { clock, problems, result } = given(manual('127.31.1.0/24'), () => ({
      is: 'problem',
      type: 'timeout',
      message: 'late',
    }))
    await clock.advance(60_000)
    await result
    expect(problems.all().length).toBe(101)
    expect(lines(problems).at(-1)).toBe('Scan: 408 more problems are not listed.')
  })

  test('a network without a way to it is left out at once', async () => {
    const network = (ip: string): Finding => (ip.startsWith('127.31.1.') ? { is: 'no_network' } : nothing)
    const config = aConfig({ max_concurrent: 1 })
    const { clock, asked, problems, progress, result } = given(
      manual('127.31.1.0/24', '127.31.2.0/30'),
      network,
      { config },
    )
    await clock.advance(5_000)
    await result
    expect(asked).toEqual([
      '127.31.1.1:8006',
      ...[1, 2].flatMap((n) => [8006, 8007].map((p) => `127.31.2.${n}:${p}`)),
    ])
    expect(lines(problems)).toEqual(['Manual subnet: There is no route to 127.31.1.0/24 from this machine.'])
    expect(progress.at(-1)).toMatchObject({ total_processed: 256, percentage: 100 })
  })

  test('a guessed network is given up after 64 unreachable addresses, its routers first', async () => {
    const config = aConfig({ max_concurrent: 1 })
    const { clock, asked, problems, result } = given(guess('127.31.1.0/24'), () => nothing, { config })
    await clock.advance(30_000)
    await result
    expect(asked.slice(0, 3)).toEqual(['127.31.1.1:8006', '127.31.1.1:8007', '127.31.1.254:8006'])
    expect(asked.length).toBe(128)
    expect(lines(problems)).toEqual([
      'Fallback common subnets: No address in 127.31.1.0/24 answers: the rest of the subnet was skipped.',
    ])
  })

  test('one that shows a sign of life is looked through', async () => {
    const network = (ip: string): Finding => ({ is: 'nothing', reached: ip === '127.31.1.254' })
    const { clock, asked, result } = given(guess('127.31.1.0/24'), network)
    await clock.advance(30_000)
    await result
    expect(asked.length).toBe(508)
  })

  test('a guess is left out when there is no time for it', async () => {
    const endsAt = fakeClock().monotonic() + 4_000
    const { asked, problems, result } = given(guess('127.31.1.0/24'), () => nothing, { endsAt })
    await result
    expect(asked).toEqual([])
    expect(lines(problems)[0]).toMatch(/no time was left/)
  })
})

test.each([
  ['time', 'timeout', 'The scan reached its time limit'],
  ['replaced', 'canceled', 'The scan was stopped early'],
])(
  '[collection 5.1] ended because of %s: what was found stays, no address is asked any more',
  async (reason, type, text) => {
    const silence = new Promise<Finding>(() => undefined)
    const network = (ip: string) => (ip.endsWith('.1') ? pve('a') : silence)
    const config = aConfig({ max_concurrent: 2 })
    const { clock, abort, asked, problems, result } = given(
      manual('127.31.1.0/28'),
      async (ip) => Promise.race([network(ip), aborted(abort.signal)]),
      { config },
    )
    await clock.advance(5_000)
    const before = asked.length
    abort.abort(reason)
    await clock.advance(5_000)
    expect(await result).toMatchObject([{ ip: '127.31.1.1', port: 8006 }, { port: 8007 }])
    expect(asked.length).toBe(before)
    expect(problems.all()).toMatchObject([
      { error_type: type, message: `${text}: 1 of 14 addresses were scanned.` },
    ])
  },
)

const aborted = (signal: AbortSignal) =>
  new Promise<Finding>((resolve) => signal.addEventListener('abort', () => resolve({ is: 'canceled' })))
