import { expect, test } from 'vitest'
import { historyOfKind } from './charts.ts'
import { alertsOfChart } from './use-alerts.ts'

test('[M 3.1] an alert about a limit of a mail gateway is marked in the chart of its figure only', () => {
  const alerts = ['message-age', 'quarantine-virus', 'offline'].map((type) => ({
    id: type,
    alert: type,
    type,
    at: 0,
    text: type,
    tone: 'red' as const,
  }))
  const charts = historyOfKind.pmg!.charts.map(({ title, lines }) => ({
    title,
    own: lines.map(({ field }) => field),
  }))
  const all = new Set(charts.flatMap(({ own }) => own))
  const marked = Object.fromEntries(
    charts.map(({ title, own }) => [title, alertsOfChart(alerts, own, all).map(({ type }) => type)]),
  )
  expect(marked).toMatchObject({
    'Mail in 24 hours': ['offline'],
    Queued: ['offline'],
    'Oldest mail': ['message-age', 'offline'],
    'In quarantine': ['quarantine-virus', 'offline'],
  })
})
