import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText } from './overview.ts'
import { connectWithDisks, diskColumns, firstMs, storagePage } from './storage-page.ts'

/** Disks are asked for every few minutes, and no sooner than their share of the calls allows. */
const slowMs = 200_000
/** What shows a storage: without all of them its lists pass over it. */
const hidden = ['Audit', 'AllocateSpace', 'Allocate'].map((one) => `Datastore.${one}@/storage/pbs-offsite`)

journeys(
  'rights on storage',
  (given) => {
    test('what may no longer be read keeps its last figures, marked as old, with the right that is missing', async () => {
      const { lab, call } = given.estate
      const { page } = await given.open({ path: '/proxmox/storage', height: 1_600 })
      const view = storagePage(page)
      const told = page.getByRole('list', { name: 'Cannot be read' })
      await expectText(told, firstMs).toContain('prod: storages cannot be read')
      expect(await told.innerText()).toContain('Missing right: Datastore.Audit on /storage/pbs-offsite')
      expect(await view.pool('', 'pbs-offsite').count()).toBe(0)
      expect(await view.pool('', 'nas-vm').count()).toBe(1)
      await view.openDisks()
      const diskOf = (node: string) => view.disk('/dev/sda').filter({ hasText: node })
      const nodes = ['pve1', 'pve2', 'pve3']
      for (const node of nodes) await expectText(diskOf(node), firstMs).toContain('HEALTHY')
      const before = new Map<string, unknown>()
      for (const node of nodes) before.set(node, await view.figures(diskOf(node), diskColumns))

      lab.control.patchToken(lab.credentials.tokenId, { drop: ['Sys.Audit', ...hidden] })
      // Whoever changes an interval does not wait for the next turn.
      await call('POST', '/api/system/settings/update', { backupPollingInterval: 300 })
      const refused = /prod: (pve\d) disks cannot be read/
      const more = page.getByRole('button', { name: /^and \d+ more$/ })
      await expect
        .poll(
          async () => {
            if (await more.isVisible()) await more.click()
            return told.innerText()
          },
          { timeout: within(slowMs) },
        )
        .toMatch(refused)
      const text = await told.innerText()
      const node = refused.exec(text)![1]!
      expect(text).toContain(`Missing right: Sys.Audit on /nodes/${node}`)
      await diskOf(node)
        .getByText(/^Stale/)
        .waitFor({ timeout: within(firstMs) })
      expect(await view.figures(diskOf(node), diskColumns)).toEqual({
        ...(before.get(node) as object),
        Device: expect.stringMatching(/^\/dev\/sda Stale/),
      })
      await examine(page, 'disks-unreadable')
    })
  },
  {
    lab: { nodes: 3, guests: 6 },
    connected: false,
    async prepare(estate) {
      estate.lab.control.patchToken(estate.lab.credentials.tokenId, { drop: hidden })
      await connectWithDisks(estate)
    },
  },
)
