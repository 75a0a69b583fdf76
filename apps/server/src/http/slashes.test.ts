import { postAlertAcknowledge, postAlertClear } from '@pulse/contract'
import { expect, test } from 'vitest'
import { withSlashes } from './slashes.ts'

const corrected = withSlashes([postAlertAcknowledge, postAlertClear])

test.each([
  [
    '/api/alerts/disk-health-pve1-/dev/sda/acknowledge',
    '/api/alerts/disk-health-pve1-%2Fdev%2Fsda/acknowledge',
  ],
  ['/api/alerts/a%2Fb/c/clear?x=/y', '/api/alerts/a%2Fb%2Fc/clear?x=/y'],
  ['/api/alerts/a%2Fb/acknowledge', '/api/alerts/a%2Fb/acknowledge'],
  ['/api/alerts/bulk/acknowledge', '/api/alerts/bulk/acknowledge'],
  ['/api/alerts/acknowledge', '/api/alerts/acknowledge'],
  ['/api/alerts/history', '/api/alerts/history'],
  ['/api/other/a/b/acknowledge', '/api/other/a/b/acknowledge'],
])('[facts/alerts 8] %s is read as %s', (url, read) => expect(corrected(url)).toBe(read))
