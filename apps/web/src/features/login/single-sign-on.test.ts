import { OidcErrorCode } from '@pulse/contract'
import { expect, test } from 'vitest'
import { failureText } from './single-sign-on.ts'

const described = {
  email_restricted: /email is not permitted/,
  domain_restricted: /email domain is not allowed/,
  group_restricted: /not in an authorized group/,
  invalid_state: /expired.*try again/,
  exchange_failed: /could not be completed/,
  session_failed: /no session could be created/,
  invalid_id_token: /ID token verification failed.*issuer/,
  invalid_signature_alg: /HS256.*RS256/,
  invalid_nonce: /Security validation failed/,
}

test.each(Object.entries(described))('[spec 1 §8] oidc_error %s has words of its own', (code, text) => {
  expect(failureText(code)).toMatch(text)
})

const others = OidcErrorCode.options.filter((code) => !Object.hasOwn(described, code))

test.each([...others, '', 'toString', 'unknown_code'])('[spec 1 §8] oidc_error "%s" is any other', (code) => {
  expect(failureText(code)).toBe('Single sign-on failed. Please try again or contact an administrator.')
})
