import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { securityPage, securityPath } from '../security-page.ts'

export function tokens(given: Given): void {
  describe('an API token', () => {
    test('[spec 1 §2] is shown once, works until it is revoked, and then ends at once', async () => {
      const { page } = await given.open({ path: securityPath })
      const { url } = given.estate
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
      const security = securityPage(page)
      await security.open('API tokens')
      await page.getByRole('button', { name: 'New token' }).click()
      const form = security.dialog('New API token')
      await form.getByRole('textbox', { name: 'Name' }).fill('wallboard')
      await form.getByRole('radio', { name: 'Chosen scopes' }).click()
      await form.getByRole('checkbox', { name: 'monitoring:read' }).click()
      await form.getByRole('button', { name: 'Generate token' }).click()

      const reveal = security.dialog('API token')
      await reveal
        .getByText('New API token generated. Copy it below while it is still visible.', { exact: true })
        .waitFor()
      const token = await reveal.getByLabel('Token', { exact: true }).inputValue()
      expect(token).toMatch(/^[0-9a-f]{64}$/)
      const hint = `${token.slice(0, 6)}…${token.slice(-4)}`
      await reveal.getByText(hint, { exact: true }).waitFor()
      await reveal.getByRole('button', { name: 'Copy' }).click()
      await reveal.getByRole('button', { name: 'Copied!' }).waitFor()
      await security.toast('Token copied to clipboard').waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)

      // The closed dialog can be reopened until it is dismissed.
      await reveal.getByRole('button', { name: 'Close' }).last().click()
      await reveal.waitFor({ state: 'detached' })
      const banner = page.getByRole('region', { name: 'New API token' })
      await banner.getByRole('button', { name: 'Show token' }).click()
      expect(await reveal.getByLabel('Token', { exact: true }).inputValue()).toBe(token)
      await page.keyboard.press('Escape')
      await reveal.waitFor({ state: 'detached' })
      await banner.getByRole('button', { name: 'Dismiss' }).click()
      await banner.waitFor({ state: 'detached' })
      expect(await page.content()).not.toContain(token)
      const row = security.token('wallboard')
      expect(await row.innerText()).toContain(hint)
      expect(await row.innerText()).toContain('monitoring:read')

      const status = async (path: string) =>
        (await fetch(url + path, { headers: { 'X-API-Token': token } })).status
      expect(await status('/api/state')).toBe(200)
      expect(await status('/api/config/nodes')).toBe(403)
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${token}`)
      await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
      const closed = new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }))

      await row.getByRole('button', { name: 'Revoke wallboard' }).click()
      const question = security.dialog('Revoke API token')
      expect(await question.innerText()).toContain(
        'wallboard stops working at once, wherever it is used. This cannot be undone.',
      )
      await question.getByRole('button', { name: 'Cancel' }).click()
      expect(await status('/api/state')).toBe(200)
      await row.getByRole('button', { name: 'Revoke wallboard' }).click()
      const answered = page.waitForResponse('**/api/security/tokens/*')
      await question.getByRole('button', { name: 'Revoke token' }).click()
      await answered
      expect(await status('/api/state')).toBe(401)
      await closed
      await security.toast('Token revoked').waitFor()
      await row.waitFor({ state: 'detached' })
    })
  })
}
