import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { estateMetrics } from './estate/index.ts'
import { exposition } from './exposition.ts'
import { everything, hasPromtool, promtool } from './fixtures.ts'

const root = path.join(import.meta.dirname, '../../../..')
const fileOf = (name: string) => fs.readFileSync(path.join(root, name), 'utf8')
const skipped = hasPromtool ? '' : ' (skipped: no promtool)'
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-prometheus-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

function put(name: string, text: string): string {
  const file = path.join(folder, name)
  fs.writeFileSync(file, text)
  return file
}

interface Query {
  of: string
  expr: string
  legend: string
}
interface Panel {
  id: number
  title: string
  type: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat: string }[]
}
interface Dashboard {
  uid: string
  panels: Panel[]
  templating: { list: { name: string; definition?: string }[] }
}

const dashboard = JSON.parse(fileOf('deploy/grafana/pulse.json')) as Dashboard
const queries: Query[] = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({ of: title, expr, legend: legendFormat })),
)

/** Fills in the variables like Grafana. */
const filled = (expr: string) =>
  expr.replaceAll('$__rate_interval', '2m').replaceAll('$server', '.*').replaceAll('$job', '.*')

/** The table in the document, to compare with the server's metrics. */
const documented = new Map(
  fileOf('docs/prometheus.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.replaceAll('`', '').trim()))
    .map(([, name, , labels]) => [name!, labels === '' ? [] : labels!.split(', ')] as const),
)

/** Names in an expression that are neither texts, labels nor keywords. */
function metricsIn(expr: string): string[] {
  const bare = filled(expr)
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|on|group_left|label_values)\s*\(([^()]*)\)/g, (_, word: string, inner: string) =>
      word === 'label_values' ? inner.split(',')[0]! : '',
    )
  const names = [...bare.matchAll(/([a-z_][a-z0-9_]*)(\s*\()?/gi)]
  return names.filter(([, name, call]) => !call && name !== 'by' && name !== 'or').map(([, name]) => name!)
}

describe('the dashboard for Grafana', () => {
  test('asks for metrics that exist, and for no others', () => {
    const variables = dashboard.templating.list.flatMap(({ name, definition }) =>
      definition === undefined ? [] : [{ of: name, expr: definition, legend: '' }],
    )
    for (const { of, expr } of [...queries, ...variables]) {
      const names = metricsIn(expr)
      expect(names.length, of).toBeGreaterThan(0)
      expect(
        names.filter((name) => !documented.has(name)),
        of,
      ).toEqual([])
    }
  })

  test('shows each panel once, in a place of its own', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) => {
      expect(x + w, title).toBeLessThanOrEqual(24)
      return Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`)
    })
    expect(new Set(cells).size).toBe(cells.length)
  })

  test.skipIf(!hasPromtool)(
    `Prometheus has an answer to each of its queries, with the labels it shows${skipped}`,
    () => {
      const rules = {
        evaluation_interval: '15s',
        tests: [
          {
            interval: '15s',
            input_series: allSeries().map((series) => ({ series, values: '1+1x40' })),
            // The test expects no samples, so promtool prints every answer as an error.
            promql_expr_test: queries.map(({ expr }) => ({ expr: filled(expr), eval_time: '5m' })),
          },
        ],
      }
      const answers = promtool(['test', 'rules', put('tests.json', JSON.stringify(rules))])
      const results = answers.split(/\n\s+expr: /).slice(1)
      const answerTo = ({ expr }: Query) =>
        results.find((one) => one.startsWith(JSON.stringify(filled(expr))) && /\bgot: [^\n]*\{/.test(one))
      expect(queries.filter((query) => !answerTo(query)).map(({ of }) => of)).toEqual([])
      for (const query of queries) {
        for (const [, label] of query.legend.matchAll(/\{\{(\w+)\}\}/g))
          expect(answerTo(query), `${query.of} with ${label}`).toContain(`${label}="`)
      }
    },
  )
})

/** One series of each metric: the estate's from the exposition, Pulse's own from the document. */
function allSeries(): string[] {
  const tables = everything()
  const text = [...exposition(estateMetrics.map((make) => make(tables)))].join('')
  const target = 'job="pulse",instance="pulse.lan:7655"'
  const watched = text
    .split('\n')
    .filter((line) => line.startsWith('pulse_'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')).replace('{', `{${target},`))
  const known = new Set(watched.map((series) => series.split('{')[0]!))
  const own = [...documented]
    .filter(([name]) => !known.has(name))
    .flatMap(([name, labels]) =>
      // expressions select alerts by level
      (labels.includes('level') ? ['warning', 'critical'] : ['x']).map((value) => {
        const all = [target, ...labels.map((label) => `${label}="${value}"`)]
        return `${name}{${all.join(',')}}`
      }),
    )
  return [...watched, ...own]
}

describe('the job for Prometheus', () => {
  const config = fileOf('deploy/prometheus/prometheus.yml')
  const withToken = config.replace(/credentials_file: \S+/, `credentials_file: ${put('token', 'x')}`)

  test.skipIf(!hasPromtool)(`promtool accepts it${skipped}`, () => {
    expect(promtool(['check', 'config', put('prometheus.yml', withToken)])).toBe('')
  })

  test.skipIf(!hasPromtool)(`and with what stands in it as a comment${skipped}`, () => {
    const all = withToken
      .replaceAll(/^( +)# ((?:scheme|tls_config|metrics_path|  ca_file).*)$/gm, '$1$2')
      .replace(/ca_file: \S+/, `ca_file: ${put('authority.pem', '')}`)
    expect(all).toContain('    metrics_path: /pulse/metrics')
    expect(promtool(['check', 'config', put('prometheus.yml', all)])).toBe('')
  })
})
