import type { OidcErrorCode, Role } from '@pulse/contract'
import { OidcFailure } from './failure.ts'
import type { Claims, ReceivedClaims } from './exchange.ts'
import type { OidcSettings } from './settings.ts'

export interface OidcIdentity {
  issuer: string
  subject: string
  name: string
  email?: string
  role: Role
}

const maxSubjectLength = 255 // OpenID Connect Core 1.0, section 2
const maxNameLength = 128

/**
 * The user who signed in; throws when that user is not admitted. Issuer and subject identify an account,
 * because name and email may pass to another user.
 */
export function identityOf(received: ReceivedClaims, settings: OidcSettings): OidcIdentity {
  const { idToken, userInfo } = received
  const subject = idToken.sub
  if (subject.length === 0 || subject.length > maxSubjectLength || /\p{Cc}/u.test(subject)) {
    throw new OidcFailure('invalid_claims', 'the ID token contains no usable subject')
  }
  const claims = { ...userInfo, ...idToken }
  const email = emailOf(received, settings.emailClaim)
  const groups = groupsOf(settings.groupsClaim === '' ? undefined : claims[settings.groupsClaim])
  const names = [claims[settings.usernameClaim], email.address, claims['name'], subject]
  const name = names.map(printable).find((text) => text !== '') ?? 'unnamed'
  const refused = emailRefusal(email, settings) ?? groupRefusal(groups, settings)
  if (refused) throw new OidcFailure(refused.code, refused.reason, name)
  return {
    issuer: settings.issuerUrl,
    subject,
    name,
    ...(email.address === undefined ? {} : { email: email.address }),
    role: isAdministrator(groups, settings) ? 'admin' : 'viewer',
  }
}

/** If administrator groups are configured, they decide. */
const isAdministrator = (groups: string[], { adminGroups, everyoneIsAdmin }: OidcSettings): boolean =>
  adminGroups.length > 0 ? haveCommon(groups, adminGroups) : everyoneIsAdmin

interface Email {
  address: string | undefined
  isVerified: boolean
}

/** Address and verification come from the same statement, never from two different ones. */
function emailOf({ idToken, userInfo }: ReceivedClaims, claim: string): Email {
  const statement: Claims = idToken[claim] === undefined ? userInfo : idToken
  const email = statement[claim]
  const verified = statement['email_verified']
  return {
    address: typeof email === 'string' && email.trim() !== '' ? email.trim() : undefined,
    isVerified: verified === true || verified === 'true', // Amazon Cognito sends a string
  }
}

interface Refusal {
  code: OidcErrorCode
  reason: string
}

function emailRefusal({ address, isVerified }: Email, settings: OidcSettings): Refusal | undefined {
  const { allowedEmails, allowedDomains } = settings
  const usable = address !== undefined && isVerified && !/[\s\p{Cc}]/u.test(address) ? address : undefined
  const unusable =
    address === undefined ? 'the ID token has no email address' : 'the email address is not verified'
  if (allowedEmails.length > 0 && !(usable && haveCommon([usable], allowedEmails))) {
    return { code: 'email_restricted', reason: usable ? 'the email address is not on the list' : unusable }
  }
  const domains = allowedDomains.map((domain) => domain.replace(/^@/, ''))
  if (domains.length > 0 && !(usable && haveCommon([domainOf(usable)], domains))) {
    return { code: 'domain_restricted', reason: usable ? 'the email domain is not on the list' : unusable }
  }
  return undefined
}

function groupRefusal(groups: string[], { allowedGroups }: OidcSettings): Refusal | undefined {
  if (allowedGroups.length === 0 || haveCommon(groups, allowedGroups)) return undefined
  return { code: 'group_restricted', reason: 'no group is on the list' }
}

/** Accepts a list, or a text separated by commas or spaces. */
function groupsOf(claim: unknown): string[] {
  const entries: unknown[] =
    typeof claim === 'string' ? claim.split(/[,\s]+/) : Array.isArray(claim) ? claim : []
  return entries.filter((entry) => typeof entry === 'string').filter((entry) => entry !== '')
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

const haveCommon = (given: readonly string[], listed: readonly string[]): boolean =>
  given.some((text) => listed.some((entry) => isSameText(text, entry)))

/**
 * Ignores case. The comparison in both cases distinguishes letters that only fold into one another, such as K
 * and the Kelvin sign.
 */
const isSameText = (a: string, b: string): boolean =>
  a.toLowerCase() === b.toLowerCase() && a.toUpperCase() === b.toUpperCase()

/** Removes characters that could forge a log line or reverse the text direction. */
function printable(value: unknown): string {
  if (typeof value !== 'string') return ''
  const plain = value.replace(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '').trim()
  return [...plain].slice(0, maxNameLength).join('')
}
