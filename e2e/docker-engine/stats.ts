import type { Engine } from '@pulse/testkit/engine'
import type { Page } from 'playwright-core'

/** Containers and their figures, as `docker stats` prints them or as the page shows them. */
export type Figures = Record<string, { status: string; cpu?: number; memory?: number; share?: number }>

const units: Record<string, number> = { B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }
const bytesOf = (text: string): number => {
  const [, figure, unit] = /^([\d.]+) ?([BKMG])/i.exec(text)!
  return Number(figure) * units[unit!.toUpperCase()]!
}

const linesOf = (json: string) =>
  json
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, string>)

const known: [RegExp, string][] = [
  [/^Up .*\(Paused\)$/, 'Paused'],
  [/^Up .*\((healthy|unhealthy)\)$/, 'Running $1'],
  [/^Up .*/, 'Running'],
  [/^Exited \((\d+)\).*/, 'Exited ($1)'],
]
/** `Up 3 seconds (healthy)` as the page words it. */
const wordOf = (status: string): string => {
  const [pattern, word] = known.find(([one]) => one.test(status)) ?? [/.*/, status]
  return status.replace(pattern, word)
}

export async function engineFigures({ cli }: Engine): Promise<Figures> {
  const [all, stats] = await Promise.all([
    cli('ps', '-a', '--format', '{{json .}}'),
    cli('stats', '--no-stream', '--format', '{{json .}}'),
  ])
  const statsByName = new Map(linesOf(stats).map((one) => [one['Name'], one]))
  return Object.fromEntries(
    linesOf(all).map(({ Names: name = '', Status = '' }) => {
      const status = wordOf(Status)
      const own = statsByName.get(name)
      if (!own || !/^(Running|Paused)/.test(status)) return [name, { status }]
      const memory = { memory: bytesOf(own['MemUsage']!), share: parseFloat(own['MemPerc']!) }
      return [name, { status, ...(status !== 'Paused' && { cpu: parseFloat(own['CPUPerc']!) }), ...memory }]
    }),
  )
}

export async function shownFigures(page: Page): Promise<Figures> {
  const rows = page.getByRole('treegrid', { name: 'Containers' }).locator('[data-row^="container:"]')
  const lines = await rows.evaluateAll((all) =>
    all.map((row) =>
      [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].map((cell) =>
        cell.innerText.trim().replaceAll(/\s+/g, ' '),
      ),
    ),
  )
  return Object.fromEntries(
    lines.map(([name = '', status = '', cpu = '', memory = '']) => {
      const [share, bytes] = memory.split('% ')
      return [
        name.split(' ')[0]!,
        {
          status,
          ...(cpu !== '—' && { cpu: parseFloat(cpu) }),
          ...(bytes && { memory: bytesOf(bytes), share: parseFloat(share!) }),
        },
      ]
    }),
  )
}

/** Accepted differences between two readings taken moments apart: percentage points, and bytes of memory. */
const apart = { cpu: 5, share: 1, memory: 256 * 1024 }

/** Describes each difference; empty when there is none. */
export function differences(engine: Figures, shown: Figures): string[] {
  const names = new Set([...Object.keys(engine), ...Object.keys(shown)])
  return [...names].flatMap((name) => {
    const [a, b] = [engine[name], shown[name]]
    const isSame =
      a?.status === b?.status &&
      (['cpu', 'share', 'memory'] as const).every((key) => {
        const [x, y] = [a?.[key], b?.[key]]
        return x === undefined || y === undefined ? x === y : Math.abs(x - y) <= apart[key]
      })
    return isSame ? [] : [`${name}: ${JSON.stringify(a)} is shown as ${JSON.stringify(b)}`]
  })
}
