import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { expectText, guestColumns, nodeColumns, overview, shownGuests } from './overview.ts'
import { within } from '../scripts/test-limits.ts'

const marker = 'loadedOnce'

journeys(
  'first load',
  (given) => {
    test('[spec 1 §2] no node is configured; one is added meanwhile, and rows appear without a reload', async () => {
      const { page } = await given.open()
      const view = overview(page)
      await page.getByRole('heading', { name: 'No Proxmox VE nodes configured' }).waitFor()
      const way = page.getByRole('link', { name: 'Go to Settings' })
      expect(await way.getAttribute('href')).toBe('/settings')
      await page.evaluate((name) => Object.assign(globalThis, { [name]: true }), marker)

      await given.estate.connect()
      await view.ready()
      expect(await page.evaluate((name) => name in globalThis, marker)).toBe(true)
      await way.waitFor({ state: 'detached' })
    })

    test('[spec 1 §4] connected without data is loading, then come the rows', async () => {
      let release = () => {}
      const { page } = await given.open({
        prepare: ({ page }) =>
          page.routeWebSocket('**/ws', (socket) => {
            release = () => void socket.connectToServer()
          }),
      })
      const loading = page.getByRole('status').filter({ hasText: 'Loading dashboard data' })
      await loading.waitFor()
      expect(await loading.innerText()).toContain('Connecting to the monitoring service')
      expect(await page.getByRole('grid').or(page.getByRole('treegrid')).count()).toBe(0)
      release()
      await overview(page).ready()
      await loading.waitFor({ state: 'detached' })
    })

    test('[spec 1 §2] header, tabs and footer', async () => {
      const { page } = await given.open()
      const view = overview(page)
      await view.ready()
      expect(await page.title()).toBe('Overview · Pulse')
      const header = page.getByRole('banner')
      expect(await header.innerText()).toContain('Pulse')
      await expectText(view.connection).toBe('Connected')

      // Lists only pages that exist.
      const tabs = (name: string) => page.getByRole('navigation', { name }).getByRole('link')
      expect(await tabs('Main').allInnerTexts()).toEqual([
        'Proxmox',
        'Docker',
        'Add host',
        'Alerts',
        'Settings',
      ])
      expect(await tabs('Proxmox').allInnerTexts()).toEqual(['Overview', 'Storage', 'Backups', 'Changes'])
      expect(await tabs('Main').first().getAttribute('aria-current')).toBe('page')
      expect(await tabs('Proxmox').first().getAttribute('aria-current')).toBe('page')

      const { version, isDevelopment, isDocker } = (await given.estate.call('GET', '/api/version')) as {
        version: string
        isDevelopment: boolean
        isDocker: boolean
      }
      const footer = page.getByRole('contentinfo')
      const marks = [version, isDevelopment && '(Development)', isDocker && '- Docker'].filter(Boolean)
      await footer.getByText(marks.join(' ')).waitFor()
      expect(await footer.innerText()).toMatch(/Last refresh: \d{1,2}:\d{2}:\d{2} [AP]M/)
    })

    test('[spec 1 §2] the node summary', async () => {
      const { page } = await given.open()
      const view = overview(page)
      await view.ready()
      expect(await view.nodes.getByRole('columnheader').allInnerTexts()).toEqual(nodeColumns)
      const [cluster] = given.estate.lab.clusters
      for (const { name, url } of cluster!.nodes) {
        const cells = await view.node(name).getByRole('gridcell').allInnerTexts()
        expect(cells[0]).toContain('PVE')
        expect(cells[0]).toContain(cluster!.name)
        expect(cells[0]).toContain(`v${cluster!.version}`)
        expect(cells[1]).toMatch(/^\d+d \d+h$/)
        for (const figure of cells.slice(2, 5)) expect(figure).toMatch(/^\d+\.\d%$/)
        const own = shownGuests(given.estate.lab).filter(({ node }) => node === name)
        const vms = own.filter(({ kind }) => kind === 'qemu').length
        expect(cells.slice(5)).toEqual([String(vms), String(own.length - vms)])
        const link = view.node(name).getByRole('link', { name: /open web interface$/ })
        expect(await link.getAttribute('href')).toBe(url)
      }
    })

    test('[spec 1 §2] the guest table, grouped by node', async () => {
      const { page } = await given.open({ height: 3_000 })
      const view = overview(page)
      await view.ready()
      expect(await view.guests.getByRole('columnheader').allInnerTexts()).toEqual(guestColumns)
      const [cluster] = given.estate.lab.clusters
      const guests = shownGuests(given.estate.lab)
      expect(await view.lines()).toEqual(
        cluster!.nodes.flatMap(({ name }) => [
          name,
          ...guests.filter(({ node }) => node === name).map(({ vmid }) => String(vmid)),
        ]),
      )
      const group = view.group('pve2')
      expect(await group.innerText()).toContain(cluster!.name)
      expect(await group.getByRole('link', { name: /open web interface$/ }).getAttribute('href')).toBe(
        cluster!.nodes[1]!.url,
      )

      expect(await view.guest(101).innerText()).toContain('db01')
      expect(await view.cell(101, 'Type').innerText()).toBe('VM')
      expect(await view.cell(102, 'Type').innerText()).toBe('LXC')
      expect(await view.cell(101, 'Name').innerText()).toContain('Tags: production, db')
      expect(await view.cell(116, 'Name').innerText()).toContain('backup')
      expect(await view.cell(101, 'CPU').innerText()).toMatch(/^\d+\.\d%$/)
      expect(await view.cell(105, 'CPU').innerText()).toBe('—')

      // Only a VM's own status shows that it is paused; the server reads it shortly after the start.
      const stopped = guests.filter(({ status }) => status !== 'running').length
      await page
        .getByText(`${guests.length - stopped} running`, { exact: true })
        .waitFor({ timeout: within(60_000) })
      await page.getByText(`${stopped} stopped`, { exact: true }).waitFor()
    })

    test.each(['/', '/proxmox', '/no/such/page', '/proxmox/overview/'])(
      '[spec 1 §2] %s leads to the Overview',
      async (path) => {
        const { page } = await given.open({ path })
        await overview(page).ready()
        expect(new URL(page.url()).pathname.replace(/\/$/, '')).toBe('/proxmox/overview')
      },
    )

    test('[spec 1 §2] /docker without a host says how one comes there', async () => {
      const { page } = await given.open({ path: '/docker' })
      await page.getByRole('heading', { name: 'No Docker hosts configured' }).waitFor()
      const way = page.getByRole('link', { name: 'Add Host', exact: true })
      expect(await way.getAttribute('href')).toBe('/settings/docker')
      expect(await page.title()).toBe('Docker · Pulse')
    })
  },
  { connected: false },
)
