import { describe, expect, test } from 'vitest'
import { aMailGateway } from '../appliance/fixtures.ts'
import { haveFixtures, recording } from '../pve/official/fixtures.ts'
import { shapeDifferences } from '../pve/official/fixtures-shape.ts'

if (!haveFixtures) console.log('skipped: no ../shared/fixtures')

const noon = Date.parse('2026-07-01T12:00:00Z')

describe.skipIf(!haveFixtures)('answers of PMG have the shape of recorded ones', () => {
  test.each([
    { file: 'pmg91-statistics-mail', path: '/statistics/mail' },
    { file: 'pmg91-qshape-deferred', path: '/nodes/localhost/postfix/qshape?queue=deferred' },
    { file: 'pmg91-quarantine-spamstatus', path: '/quarantine/spamstatus' },
    // The recording has an average of zero, which is a number.
    { file: 'pmg91-quarantine-virusstatus', path: '/quarantine/virusstatus', except: ['.avgbytes'] },
    {
      file: 'pmg91-cluster-status-node-error',
      path: '/config/cluster/status',
      except: ['[].insync', '[].conn_error', '[master].insync', '[node].insync', '[node].conn_error'],
    },
  ])('$file', async ({ file, path, except = [] }) => {
    const { lab, ask } = await aMailGateway({ pmg: 2, pmgCluster: true, now: () => noon })
    await lab.control.patchAppliance('pmg2', { online: false })
    expect(shapeDifferences(recording(file, 'pmg').data, (await ask(path)).data, except)).toEqual([])
  })
})
