import { failureOf, isRefused } from '../../api/reason.ts'
import { Notice } from '../../ui/notice.tsx'

export const listRefusal =
  'Authentication required to list API tokens. Sign in with an administrator account, then try again.'

/** Replaces the token form for users who may not create tokens. */
export const CreationRefused = () => (
  <Notice title="Sign in with an administrator account to create tokens in the browser.">
    You need administrator access to create API tokens from here.
  </Notice>
)

export const generationFailure = (error: Error | null) =>
  isRefused(error)
    ? {
        title: 'Failed to generate API token',
        reason: 'Sign in with an administrator account to generate tokens here.',
      }
    : failureOf('Failed to generate API token', error)
