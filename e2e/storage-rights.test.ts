import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText } from './overview.ts'
import { firstMs, storagePage } from './storage-page.ts'

/** What shows a storage: without all of them its lists pass over it. */
const hidden = ['Audit', 'AllocateSpace', 'Allocate'].map((one) => `Datastore.${one}@/storage/pbs-offsite`)

journeys(
  'rights on storage',
  (given) => {
    test('what may not be read keeps its last figures, marked as old, with the right that is missing', async () => {
      const { page } = await given.open({ path: '/proxmox/storage', height: 1_600 })
      const view = storagePage(page)
      const told = page.getByRole('list', { name: 'Cannot be read' })
      // Its pools are listed, and then refused one by one.
      await expectText(told, firstMs).toContain('prod: pve1 zfs cannot be read')
      await expectText(told).toContain('Missing right: Sys.Audit on /nodes/pve1')
      const tank = view.pool('pve1', 'tank')
      await tank.getByText(/^Stale/).waitFor()
      const figure = /^\d[\d.,]* [GT]B$/
      expect(await view.figures(tank)).toMatchObject({
        Storage: expect.stringMatching(/^tank Stale/),
        Usage: expect.stringMatching(/^\d+\.\d%$/),
        Free: expect.stringMatching(figure),
        Total: expect.stringMatching(figure),
      })
      expect((await view.figures(view.pool('pve1', 'local')))['Storage']).toBe('local')

      // Nobody refuses the storage that the account cannot see: only its rights tell.
      await expectText(told, firstMs).toContain('prod: storages cannot be read')
      expect(await told.innerText()).toContain('Missing right: Datastore.Audit on /storage/pbs-offsite')
      expect(await view.pool('', 'pbs-offsite').count()).toBe(0)
      expect(await view.pool('', 'pbs-main').count()).toBe(1)
      await examine(page, 'storage-unreadable')
    })
  },
  {
    lab: { nodes: 3, guests: 6 },
    prepare({ lab: { control, credentials } }) {
      control.patchToken(credentials.tokenId, { drop: hidden })
      const text = 'Permission check failed (/nodes/pve1, Sys.Audit)'
      control.addFault({ kind: 'status', status: 403, text, path: '/nodes/pve1/disks/zfs/*' })
    },
  },
)
