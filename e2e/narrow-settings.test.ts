import type { DockerReport } from '@pulse/contract'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { smallTargets } from './targets.ts'

const tokenName = 'Home Assistant dashboard in the hall'
const userName = 'night-shift-anna'
const report: DockerReport = {
  agent: { id: 'id-of-edge', version: '0.9.0', intervalSeconds: 30 },
  host: {
    hostname: 'edge',
    os: 'Debian GNU/Linux 12 (bookworm)',
    architecture: 'x86_64',
    dockerVersion: '20.10.24+dfsg1',
  },
  containers: [
    {
      id: 'a'.repeat(64),
      name: 'search',
      image: 'opensearchproject/opensearch:2.17.1-with-a-long-tag',
      state: 'running',
      status: 'Up 2 hours',
      health: 'unhealthy',
    },
  ],
}

journeys(
  'tables of the settings where there is little room',
  (given) => {
    const open = async (path: string, width: number) => {
      const { page } = await given.open({ path, width, height: 900 })
      await page.locator('#content .skeleton').first().waitFor({ state: 'detached' })
      return page
    }

    test.each([820, 1024, 1440])(
      '[design 10] no word of a name or a version is broken at %i px',
      async (width) => {
        const tokens = await open('/settings/security#tokens', width)
        await tokens.getByText(tokenName).waitFor()
        expect(await brokenWords(tokens, tokenName)).toEqual([])
        const users = await open('/settings/security#users', width)
        await users.getByText(userName, { exact: true }).waitFor()
        expect(await brokenWords(users, userName)).toEqual([])
        const hosts = await open('/settings/docker', width)
        await hosts.getByText('20.10.24+dfsg1').waitFor()
        expect(await brokenWords(hosts, '20.10.24+dfsg1')).toEqual([])
      },
    )

    test('on a phone the facts of a Docker host stand side by side, without a hole', async () => {
      const page = await open('/settings/docker', 380)
      await page.getByText('every 30 s').waitFor()
      expect(await holeBefore(page, 'every 30 s')).toBeLessThan(8)
    })

    test('[design 10] the name of a container keeps its room before its image at 820 px', async () => {
      const page = await open('/alerts/thresholds/docker', 820)
      const name = page.getByRole('link', { name: 'search, open the Docker page' })
      await name.waitFor()
      expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
      // the name is as wide without an image beside it
      const width = () => name.evaluate((element) => element.getBoundingClientRect().width)
      const before = await width()
      await name.evaluate((element) => element.nextElementSibling!.remove())
      expect(await width()).toBe(before)
    })

    test('[design 10] where alerts go, what waits and why stand whole at 820 px', async () => {
      const page = await open('/alerts/destinations', 820)
      const webhooks = page.getByRole('table', { name: 'Webhooks' })
      await webhooks.getByRole('switch', { name: 'Webhook Ops chat' }).waitFor()
      expect(await overflowOf(webhooks)).toBe(0)
      const deliveries = page.getByRole('table', { name: 'Deliveries' })
      await deliveries
        .getByText(/^Grouped, goes out at /)
        .first()
        .waitFor()
      expect(await overflowOf(deliveries)).toBe(0)
    })

    test.each([380, 820])('what opens more is not too small for a finger at %i px', async (width) => {
      const page = await open('/settings/docker', width)
      await page.getByText('Uninstall the agent').waitFor()
      expect(await smallTargets(page)).toEqual([])
    })
  },
  {
    connected: false,
    async prepare({ call, url }) {
      await call('POST', '/api/alerts/activate')
      await call('PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
      await call('POST', '/api/notifications/webhooks', {
        name: 'Ops chat',
        url: 'http://127.0.0.1:49151/services/on-call',
        service: 'generic',
      })
      await call('POST', '/api/security/tokens', { name: tokenName, scopes: ['monitoring:read'] })
      await call('POST', '/api/security/users', {
        name: userName,
        password: 'a long password',
        role: 'viewer',
      })
      const made = await call('POST', '/api/security/tokens', { name: 'edge', scopes: ['docker:report'] })
      const { token } = made as { token: string }
      const answer = await fetch(`${url}/api/agents/docker/report`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-token': token },
        body: JSON.stringify(report),
      })
      expect(answer.status).toBe(200)
    },
  },
)

/** px by which a table is wider than its container */
const overflowOf = (table: Locator): Promise<number> =>
  table.evaluate(({ parentElement: parent }) => parent!.scrollWidth - parent!.clientWidth)

/** Words of this text that are broken across lines. */
const brokenWords = (page: Page, text: string): Promise<string[]> =>
  page.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT)
    const broken: string[] = []
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      if (!node.data.includes(wanted)) continue
      for (const { index, 0: word } of node.data.matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
      }
    }
    return broken
  }, text)

/** px between a text and the text before it on the same line */
const holeBefore = (page: Page, text: string): Promise<number> =>
  page.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT)
    let end = -Infinity
    while (walker.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      const rects = [...range.getClientRects()]
      if (rects.length === 0 || (walker.currentNode as Text).data.trim() === '') continue
      if ((walker.currentNode as Text).data.includes(wanted)) return rects[0]!.left - end
      end = rects.at(-1)!.right
    }
    return Infinity
  }, text)
