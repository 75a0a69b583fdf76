import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText, overview, shownGuests } from './overview.ts'

const pollMs = 15_000
/** The server polls a recovered node again within this time. */
const recoveryMs = 40_000
const tall = { height: 3_200 }

journeys('a node', (given) => {
  test('[spec 1 §4] that dies, the one that was configured at that: the others go on; then it is back', async () => {
    const { lab } = given.estate
    const { page } = await given.open(tall)
    const view = overview(page)
    await view.ready()
    const isDimmed = async (row: 'node' | 'group') =>
      (await view[row]('pve1').locator('[data-dimmed]').first().getAttribute('data-dimmed')) === 'true'
    const running = (node: string) =>
      shownGuests(lab).filter((guest) => guest.node === node && guest.status !== 'stopped')
    expect(await view.group('pve1').innerText()).not.toContain('Offline')

    await lab.control.patchNode('pve1', { online: false })
    const created = lab.control.createGuest({ name: 'born-meanwhile', node: 'pve2' })
    await expectText(view.group('pve1'), pollMs).toContain('Offline')
    expect.soft(await view.node('pve1').innerText(), 'in the summary').toContain('Offline')
    expect([await isDimmed('node'), await isDimmed('group')]).toEqual([true, true])
    // The status and its duration replace the bars.
    const figures = await view.node('pve1').getByRole('gridcell').allInnerTexts()
    expect(figures.slice(1, 3)).toEqual(['—', expect.stringMatching(/^Offline · \d+ (s|min)$/)])
    // Offline nodes come last, in both tables.
    expect((await view.lines()).filter((line) => line.startsWith('pve'))).toEqual(['pve2', 'pve3', 'pve1'])

    for (const { vmid } of running('pve1')) {
      const texts = await view.guest(vmid).getByRole('gridcell').allInnerTexts()
      expect(texts[0], `guest ${vmid}`).not.toContain('Running')
      expect(texts.slice(3), `guest ${vmid}`).toEqual(Array.from({ length: 8 }, () => '—'))
    }
    // A paused guest counts as stopped once the server has read its own status.
    const left = shownGuests(lab).filter(({ node, status }) => node !== 'pve1' && status === 'running')
    await page.getByText(`${left.length} running`, { exact: true }).waitFor({ timeout: recoveryMs })

    await examine(page, 'light-1440-node-down')

    // Another member serves the listing now, and continues to.
    await expectText(view.cell(created.vmid, 'Name'), pollMs).toContain('born-meanwhile')
    lab.control.patchGuest(101, { cpu: 0.77 })
    await expectText(view.cell(101, 'CPU'), pollMs).toBe('77.0%')
    await expectText(view.node('pve2')).toContain('Online')

    await lab.control.patchNode('pve1', { online: true })
    await expectText(view.node('pve1'), recoveryMs).toContain('Online')
    await expectText(view.group('pve1')).not.toContain('Offline')
    await expectText(view.cell(100, 'Name'), pollMs).toContain('Running')
    await expectText(view.cell(100, 'CPU')).toMatch(/%$/)
    expect(await isDimmed('group')).toBe(false)
    await page
      .getByText(/^Stale/)
      .first()
      .waitFor({ state: 'detached' })
    expect((await view.lines()).filter((line) => line.startsWith('pve'))).toEqual(['pve1', 'pve2', 'pve3'])

    // Calls that follow the node's return do not delay the figures.
    lab.control.patchGuest(101, { cpu: 0.66 })
    await expectText(view.cell(101, 'CPU'), pollMs).toBe('66.0%')
  })
})
