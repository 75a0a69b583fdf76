import { openSandbox } from '@pulse/lab'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { expectText, overview } from '../overview.ts'
import { nodePage } from './node-page.ts'

/** The browser also logs a failed connection test as an error. */
const failedTest = /status of 400 .*\/api\/config\/nodes\/test-connection$/

export function addServers(given: Given): void {
  const lab = () => given.estate.lab

  test('[spec 2 §2] a backup server, by a token and its fingerprint', async () => {
    const [pbs] = lab().pbs
    const visit = await given.open({ path: '/settings/pbs', headers: { 'X-Forwarded-For': '192.0.2.1' } })
    visit.expects(failedTest)
    const nodes = nodePage(visit.page)
    await nodes.title('Proxmox Backup Server').waitFor()
    await nodes.add.click()
    const form = nodes.form('Add Proxmox Backup Server')
    const { tokenId, tokenSecret } = pbs!.credentials
    await form.goOn(pbs!.address)
    await form.enter({ 'Token ID': tokenId, 'Token value': tokenSecret })
    await form.test()
    await form.says(pbs!.fingerprint).waitFor()
    await form.button('Trust this certificate').click()
    await form.says('Connection successful').waitFor()
    expect(await form.field('Name').inputValue()).toBe(pbs!.name)
    await form.submit('Add node')
    await nodes.toast('Node added successfully').waitFor()
    await nodes.status(pbs!.name, 'Online').waitFor()
    await nodes.card(pbs!.name).getByText(pbs!.url, { exact: true }).waitFor()
  })

  test('[spec 2 §2] a mail gateway, which has no tokens, by a password', async () => {
    const [pmg] = lab().pmg
    const visit = await given.open({ path: '/settings/pmg', headers: { 'X-Forwarded-For': '192.0.2.2' } })
    visit.expects(failedTest)
    const nodes = nodePage(visit.page)
    await nodes.title('Proxmox Mail Gateway').waitFor()
    await nodes.add.click()
    const form = nodes.form('Add Proxmox Mail Gateway')
    await form.goOn(pmg!.address)
    expect(await form.dialog.getByRole('radio', { name: 'Password' }).isChecked()).toBe(true)
    await form.test()
    await form.says('Username and password are required').waitFor()

    await form.dialog.getByRole('radio', { name: 'API token' }).click()
    await form.says('Mail gateways have no API tokens').waitFor()
    await form.dialog.getByRole('radio', { name: 'Password' }).click()

    const { user, password } = pmg!.credentials.auditor
    await form.enter({
      Name: 'mail',
      'SHA-256 fingerprint': pmg!.fingerprint,
      Username: user,
      Password: 'not this one',
    })
    await form.test()
    await expectText(form.dialog.getByRole('alert')).toBe(
      'Authentication failed: check user name, realm and password',
    )
    await form.enter({ Password: password })
    await form.test()
    await form.says('Connection successful').waitFor()
    await form.submit('Add node')
    await nodes.status('mail', 'Online').waitFor()
    expect(await visit.page.content()).not.toContain(password)
  })

  test('[spec 2 §4] a cluster, by one command that is run on it: it appears without a reload', async () => {
    const { clusters, control } = lab()
    const [first, ...members] = clusters[0]!.nodes
    const { page } = await given.open({ path: '/settings/pve', headers: { 'X-Forwarded-For': '192.0.2.3' } })
    await page.evaluate(() => (document.documentElement.dataset['loaded'] = 'once'))
    const nodes = nodePage(page)
    await nodes.add.click()
    const form = nodes.form('Add Proxmox VE node')
    await form.enter({ 'Host URL': `${first!.address}:${first!.port}` })
    await form.button('Continue').click()
    await form.button('Generate command').click()
    const command = await form.field('Setup command').inputValue()
    await form.dialog
      .getByRole('timer')
      .getByText(/^[45]:\d\d$/)
      .waitFor()
    await form.says(`Another machine cannot reach Pulse at ${given.estate.url}`).waitFor()
    await form.button('Copy').first().click()
    await nodes.toast('Command copied to clipboard!').waitFor()
    await form.says('The server cannot reach Pulse at that address?').click()
    const [script] = await Promise.all([
      page.waitForEvent('download'),
      form.button('Download script').click(),
    ])
    expect(script.suggestedFilename()).toBe('pulse-setup.sh')
    await nodes.toast('Script downloaded! Upload it to your server and run: bash pulse-setup.sh').waitFor()

    const secrets: string[] = []
    const host = await openSandbox({
      product: 'pve',
      version: '8.4.5',
      hostname: first!.name,
      fingerprint: first!.fingerprint,
      members,
      newSecret(tokenId) {
        const secret = randomUUID()
        secrets.push(secret)
        control.addToken(tokenId, secret)
        return secret
      },
    })
    try {
      const run = await host.bash(['-c', command])
      expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: '' })
      expect(run.stdout).toContain(`Pulse now monitors this host as ${first!.name}.`)
    } finally {
      await host.close()
    }

    await nodes
      .toast(`node "${first!.name}" was successfully auto-registered and is now being monitored!`)
      .waitFor()
    await form.dialog.waitFor({ state: 'detached' })
    await nodes.status(first!.name, 'Online').waitFor()
    await nodes.card(first!.name).getByText('3 endpoints', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Add host: Proxmox' }).waitFor({ state: 'detached' })
    await nodes.proxmox.click()
    await overview(page).node(members[0]!.name).waitFor()
    expect(await page.evaluate(() => document.documentElement.dataset['loaded'])).toBe('once')
    expect(secrets).toHaveLength(1)
    expect(await page.content()).not.toContain(secrets[0])
  })
}
