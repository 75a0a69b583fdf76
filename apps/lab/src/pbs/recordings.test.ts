import { describe, expect, test } from 'vitest'
import { aBackupServer } from '../appliance/fixtures.ts'
import { haveFixtures, recording } from '../pve/official/fixtures.ts'
import { shapeDifferences } from '../pve/official/fixtures-shape.ts'

if (!haveFixtures) console.log('skipped: no ../shared/fixtures')

const noon = Date.parse('2026-07-01T12:00:00Z')

/** A day without a figure is `null`; logs and unfinished files have only a name. */
describe.skipIf(!haveFixtures)('answers of PBS have the shape of recorded ones', () => {
  test.each([
    {
      file: 'pbs42-datastore-usage',
      pbsVersion: '4',
      path: '/status/datastore-usage',
      except: ['[].history[]'],
    },
    {
      file: 'pbs42-datastore-status-verbose',
      pbsVersion: '4',
      path: '/admin/datastore/main/status?verbose=1',
      except: ['.counts.ct', '.counts.other'],
    },
    { file: 'pbs42-admin-gc', pbsVersion: '4', path: '/admin/gc' },
    { file: 'pbs3-node-status', pbsVersion: '3', path: '/nodes/localhost/status' },
    {
      file: 'pbs3-snapshots',
      pbsVersion: '3',
      path: '/admin/datastore/main/snapshots?ns=prod',
      except: ['[].files[].size', '[].files[].crypt-mode'],
    },
  ] as const)('$file', async ({ file, pbsVersion, path, ...rest }) => {
    const { ask } = await aBackupServer({ pbsVersion, now: () => noon })
    const except = 'except' in rest ? rest.except : []
    expect(shapeDifferences(recording(file, 'pbs').data, (await ask(path)).data, except)).toEqual([])
  })

  test('pbs3-datastore-usage-error', async () => {
    const { lab, list } = await aBackupServer({ pbsVersion: '3', guests: 12 })
    await lab.control.patchAppliance('pbs1', {
      datastores: { offsite: { error: 'unable to open chunk store' } },
    })
    const [good, broken] = recording('pbs3-datastore-usage-error', 'pbs').data as unknown[]
    const [main, offsite] = await list('/status/datastore-usage')
    expect(shapeDifferences(good, main, ['.history[]'])).toEqual([])
    expect(shapeDifferences(broken, offsite, [])).toEqual([])
  })
})
