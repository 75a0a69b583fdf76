import {
  type AppriseSink,
  type SmtpSink,
  startAppriseSink,
  startSmtpSink,
  startWebhookSink,
  type WebhookSink,
} from '@pulse/lab'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'

const vmid = 101
/** A poll, the delay, a second poll and the message, on a busy machine. */
const fireMs = 60_000
const off = { trigger: -1, clear: 0 }
const target = 'discord://112233445566778899/canary-token'
const account = { username: 'pulse', password: 'journey mail password' }

interface Wire {
  vms: { id: string; vmid: number; name: string }[]
  containers: { id: string; vmid: number; name: string }[]
}

journeys(
  'notifications',
  (given) => {
    let mail: SmtpSink
    let hooks: WebhookSink
    let apprise: AppriseSink
    beforeAll(async () => {
      ;[mail, hooks, apprise] = await Promise.all([
        startSmtpSink({ account }),
        startWebhookSink(),
        startAppriseSink({ apiKey: 'journey-key' }),
      ])
      await given.estate.call('POST', '/api/alerts/activate')
    })
    afterAll(() => Promise.all([mail, hooks, apprise].map((sink) => sink.close())))

    const destinations = async () => {
      const { page, ...visit } = await given.open({ path: '/alerts/destinations', height: 1200 })
      await page.getByRole('heading', { name: 'Notification Destinations' }).waitFor()
      return { page, ...visit, card: (name: string) => page.getByRole('region', { name, exact: true }) }
    }
    const expectMessage = (page: Page, text: string | RegExp) =>
      page
        .getByText(text)
        .first()
        .waitFor({ timeout: within(20_000) })
    const save = async (page: Page) => {
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await expectMessage(page, 'Configuration saved successfully!')
    }

    test('[spec 3 §2] a mail server on this machine is refused with advice, then allowed, tested and saved', async () => {
      const visit = await destinations()
      const { page, card } = visit
      visit.expects(/status of 4\d\d/)
      const email = card('Email')
      await email.getByRole('switch').click()
      await email.getByLabel('SMTP server').fill(mail.host)
      await email.getByLabel('Port').fill(String(mail.port))
      await email.getByRole('radio', { name: 'None' }).check()
      await email.getByLabel('Username').fill(account.username)
      await email.getByLabel('Password', { exact: true }).fill('wrong')
      await email.getByLabel('From address').fill('pulse@example.com')
      await email.getByLabel('Recipients').fill('ann@example.com\n\nben@example.com')
      const test = email.getByRole('button', { name: 'Send Test Email' })

      await test.click()
      await expectMessage(page, /^Failed to send test email: .*this machine itself/)
      await card('Allowed hosts').getByLabel('Hosts').fill(`${mail.host}:${mail.port}`)
      await save(page)
      await test.click()
      await expectMessage(page, /^Failed to send test email: .*535/)
      expect(mail.received()).toEqual([])

      await email.getByLabel('Password', { exact: true }).fill(account.password)
      await save(page)
      await test.click()
      await expectMessage(page, 'Test email sent successfully! Check your inbox.')
      expect(mail.received().at(-1)).toMatchObject({
        to: ['ann@example.com', 'ben@example.com'],
        user: 'pulse',
      })
      await expectText(card('Delivery log')).toContain('Delivered')

      await page.reload()
      await email.getByText('Leave blank to keep the saved one.').waitFor()
      await email.getByLabel('SMTP server').fill('localhost')
      await email.getByText(/never sends a saved password to a different destination/).waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
      await expectMessage(page, 'Changes discarded')
      expect(await email.getByLabel('SMTP server').inputValue()).toBe(mail.host)
    })

    test('[spec 3 §2] a webhook is tested before it is added, edited without its masked parts, and deleted', async () => {
      await given.estate.call('PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
      const visit = await destinations()
      const { page, card } = visit
      visit.expects(/status of 4\d\d/)
      await page.getByRole('button', { name: 'Add Webhook' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name', { exact: true }).fill('Phone')
      await dialog.getByRole('combobox', { name: 'Service' }).click()
      await page.getByRole('option', { name: 'Pushover' }).click()
      await dialog.getByLabel('URL').fill(hooks.urls['pushover']!)
      await dialog.getByRole('button', { name: 'Test', exact: true }).click()
      await dialog
        .getByText(/is required$/)
        .first()
        .waitFor()
      await dialog.getByLabel('Custom field 1: value').fill('a'.repeat(30))
      await dialog.getByLabel('Custom field 2: value').fill('u'.repeat(30))

      hooks.behave({ kind: 'status', status: 503, body: 'closed for today' }, { times: 1 })
      await dialog.getByRole('button', { name: 'Test', exact: true }).click()
      await dialog.getByText('Test failed: status 503').waitFor()
      await expectText(dialog).toContain('closed for today')
      await dialog.getByRole('button', { name: 'Test', exact: true }).click()
      await dialog.getByText('Test accepted: status 200').waitFor()
      await expectMessage(page, 'Test webhook sent successfully!')
      expect(hooks.received().at(-1)).toMatchObject({ service: 'pushover', problems: [] })

      await dialog.getByRole('button', { name: 'Add Webhook' }).click()
      await expectMessage(page, 'Webhook added successfully')
      await card('Webhooks').getByText('1 configured').waitFor()
      await page.getByRole('button', { name: 'Edit Phone' }).click()
      expect(await dialog.getByLabel('Custom field 1: value').inputValue()).toBe('********')
      await dialog.getByRole('textbox', { name: 'Template' }).fill('{"broken": {{.Unknown')
      await dialog.getByRole('button', { name: 'Update Webhook' }).click()
      await dialog.locator('[aria-invalid=true]').waitFor()
      await dialog.getByRole('button', { name: 'Clear Template' }).click()
      await dialog.getByLabel('Name', { exact: true }).fill('Pager')
      await dialog.getByRole('button', { name: 'Update Webhook' }).click()
      await expectMessage(page, 'Webhook updated successfully')
      const before = hooks.received().length
      await page.getByRole('button', { name: 'Test Pager' }).click()
      await expect.poll(() => hooks.received().length, { timeout: within(20_000) }).toBe(before + 1)
      expect(hooks.received().at(-1)!.json).toMatchObject({ token: 'a'.repeat(30), user: 'u'.repeat(30) })

      await page.getByRole('button', { name: 'Delete Pager' }).click()
      await page.getByRole('button', { name: 'Delete Webhook' }).click()
      await expectMessage(page, 'Webhook deleted successfully')
      await card('Webhooks').getByText('0 configured').waitFor()
    })

    test('[spec 3 §2] an Apprise API server is set up, and its key is required again when the address changes', async () => {
      await given.estate.call('PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
      const visit = await destinations()
      const { page, card } = visit
      visit.expects(/status of 4\d\d/)
      const form = card('Apprise')
      await form.getByRole('switch').click()
      await form.getByRole('radio', { name: 'Apprise API server' }).check()
      await form.getByLabel('Server address').fill(apprise.origin)
      await form.getByLabel('Delivery targets').fill(`${target}, ${target}`)
      await form.getByLabel('API key', { exact: true }).fill('wrong')
      await form.getByRole('button', { name: 'Send Test Notification' }).click()
      await expectMessage(page, /^Failed to send test notification through Apprise: .*401/)
      await form.getByLabel('API key', { exact: true }).fill('journey-key')
      await save(page)
      await form.getByRole('button', { name: 'Send Test Notification' }).click()
      await expectMessage(page, 'Test notification sent through Apprise!')
      expect(apprise.received().at(-1)!.json['urls']).toContain('canary-token')
      expect(await form.getByLabel('Delivery targets').inputValue()).not.toContain('canary-token')

      await form.getByLabel('Server address').fill(apprise.origin.replace('127.0.0.1', 'localhost'))
      await page.getByRole('button', { name: 'Save Changes' }).click()
      await form.getByText(/never sends a saved key to a different destination/).waitFor()
      await form.locator('[aria-invalid=true]').first().waitFor()
      await page.getByRole('button', { name: 'Discard' }).click()
      await expectMessage(page, 'Changes discarded')
    })

    test('every channel receives an alert and its resolved message', async () => {
      const { estate } = given
      const { vms, containers } = (await estate.call('GET', '/api/state')) as Wire
      const guest = [...vms, ...containers].find((one) => one.vmid === vmid)!
      const nothing = { cpu: off, memory: off, disk: off }
      const { schedule } = (await estate.call('GET', '/api/alerts/config')) as { schedule: object }
      await estate.call('PUT', '/api/alerts/config', {
        guestDefaults: { ...nothing, disableConnectivity: true },
        disableAllNodes: true,
        disableAllStorage: true,
        disableAllDatastores: true,
        disableAllDisks: true,
        disableAllCeph: true,
        disableAllFailedBackups: true,
        disableAllPBS: true,
        disableAllPMG: true,
        overrides: { [guest.id]: { cpu: { trigger: 80, clear: 75 } } },
        schedule: { ...schedule, grouping: { enabled: false, window: 30, byNode: false, byGuest: false } },
      })
      await estate.call('PUT', '/api/notifications/outbound', { allowedHosts: ['127.0.0.1'] })
      await estate.call('PUT', '/api/notifications/email', {
        enabled: true,
        server: mail.host,
        port: mail.port,
        tls: false,
        startTLS: false,
        ...account,
        from: 'pulse@example.com',
        to: ['ann@example.com'],
      })
      await estate.call('PUT', '/api/notifications/apprise', {
        enabled: true,
        mode: 'http',
        serverUrl: apprise.origin,
        targets: [target],
        apiKey: 'journey-key',
      })
      await estate.call('POST', '/api/notifications/webhooks', {
        name: 'Receiver',
        url: hooks.urls['generic']!,
        service: 'generic',
      })
      /** Messages about this guest: the channels also report alerts that were open when they were set up. */
      const about = () =>
        [
          mail.received().map(({ text }) => text),
          hooks.received().map(({ text }) => text),
          apprise.received().map(({ text }) => text),
        ].map((texts) => texts.filter((text) => text.includes(guest.name)).length)
      const { page, card } = await destinations()
      estate.lab.control.patchGuest(vmid, { cpu: 0.95 })
      const arrived = (count: number) =>
        expect.poll(about, { timeout: within(fireMs) }).toEqual([count, count, count])
      await arrived(1)
      await expectText(card('Delivery log'), fireMs).toContain(`Alert: ${guest.name}`)

      estate.lab.control.patchGuest(vmid, { cpu: 0.05 })
      await arrived(2)
      await expectText(card('Delivery log'), fireMs).toContain(`All-clear: ${guest.name}`)
      estate.lab.control.patchGuest(vmid, { cpu: null })
      await page
        .getByRole('button', { name: `All-clear: ${guest.name}` })
        .first()
        .click()
      await expectText(page.getByRole('dialog')).toContain('Delivered')
    })

    test('the page and its dialogs are complete on both screens', async () => {
      for (const { title, ...screen } of screens) {
        const { page } = await given.open({ path: '/alerts/destinations', ...screen })
        await page.getByRole('heading', { name: 'Delivery log' }).waitFor()
        await page.locator('#content .skeleton').first().waitFor({ state: 'detached' })
        await expectNoSideways(page)
        await examine(page, `${title}-destinations`)
        await page.getByRole('button', { name: 'Add Webhook' }).click()
        await page.getByRole('dialog').getByLabel('URL').waitFor()
        await examine(page, `${title}-webhook`)
      }
    })
  },
  { lab: { nodes: 2, guests: 12 } },
)
