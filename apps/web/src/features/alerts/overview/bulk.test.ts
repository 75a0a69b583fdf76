import { bodyLimits, maxAlertId, maxBulkAlerts } from '@pulse/contract'
import { expect, test } from 'vitest'
import { requestsOf } from './acknowledgement.tsx'

test('[facts/alerts 12.23] a flood of alerts is asked for in requests that the server takes', () => {
  const ids = Array.from({ length: maxBulkAlerts + 1 }, (_, n) => String(n).padStart(maxAlertId, 'ｘ'))
  const requests = [...requestsOf(ids)]
  expect(requests.flat()).toEqual(ids)
  for (const alertIds of requests) {
    expect(alertIds.length).toBeLessThanOrEqual(maxBulkAlerts)
    const body = JSON.stringify({ alertIds, user: 'x'.repeat(256) })
    expect(new Blob([body]).size).toBeLessThan(bodyLimits.nodes)
  }
})
