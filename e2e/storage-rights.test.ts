import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText } from './overview.ts'
import { firstMs, storagePage } from './storage-page.ts'

/** Any of these rights makes a storage visible; without all of them Proxmox omits it from its lists. */
const hidden = ['Audit', 'AllocateSpace', 'Allocate'].map((one) => `Datastore.${one}@/storage/pbs-offsite`)

journeys(
  'rights on storage',
  (given) => {
    test('a storage without permission keeps its last figures, marked as stale, with the missing right', async () => {
      const { page } = await given.open({ path: '/proxmox/storage', height: 1_600 })
      const view = storagePage(page)
      const problems = page.getByRole('list', { name: 'Cannot be read' })
      // Proxmox lists the pools, then refuses each of them.
      await expectText(problems, firstMs).toContain('prod: pve1 zfs cannot be read')
      await expectText(problems).toContain('Missing right: Sys.Audit on /nodes/pve1')
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

      // Proxmox does not refuse a storage that the account cannot see; only the list of rights shows the gap.
      await expectText(problems, firstMs).toContain('prod: storages cannot be read')
      expect(await problems.innerText()).toContain('Missing right: Datastore.Audit on /storage/pbs-offsite')
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
