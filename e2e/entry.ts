import type { Page } from 'playwright-core'
import type { Credentials } from './estate.ts'

/** The browser's own error for a refused call. */
export const refusedAnswer = /Failed to load resource: the server responded with a status of 40[13] /
/** The browser's own error for a socket that is refused or closed. */
export const refusedSocket = /WebSocket connection to 'ws:\/\/127\.0\.0\.1:\d+\/ws' failed/

/**
 * While the server does not answer, each attempt to open the socket also asks whether the session has ended, and during
 * long waits the page checks whether it answers again. A page that has just opened may still request its second batch.
 */
export const serverUnreachable =
  /net::ERR_CONNECTION_REFUSED .*\/api\/(?:security\/status|health|alerts\/config|guests\/metadata|config\/system|version)(?:\?\S*)?$/

/** Code that a page fetches ahead, after its first figures. The page fetches it again when it needs it. */
export const codeAway = /net::ERR_CONNECTION_\w+ .*\/assets\/[\w-]+\.(?:js|css)$/
/** Calls to a server that has just restarted. */
export const startingUp = /the server responded with a status of 503/

/** Sign-in and sign-out as users find them: by roles and texts. */
export function entry(page: Page) {
  const header = page.getByRole('banner')
  const username = page.getByRole('textbox', { name: 'Username' })
  const password = page.getByLabel('Password', { exact: true })
  const submit = page.getByRole('button', { name: 'Sign in', exact: true })
  return {
    title: page.getByRole('heading', { name: 'Sign in', exact: true }),
    username,
    password,
    submit,
    message: page.getByRole('alert'),
    notice: page.getByRole('status'),
    singleSignOn: page.getByRole('button', { name: 'Sign in with single sign-on' }),
    /** in the header */
    user: (name: string) => header.getByText(name, { exact: true }),
    viewerBadge: header.getByText('Viewer', { exact: true }),
    logout: header.getByRole('button', { name: 'Logout' }),
    async signIn(as: Credentials) {
      await username.fill(as.username)
      await password.fill(as.password)
      await submit.click()
    },
  }
}
