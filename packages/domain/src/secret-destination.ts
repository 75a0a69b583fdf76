/** The destination of a stored secret. */
export interface Destination {
  /** the server: an origin, an issuer, or a mail server with its port */
  address: string
  /** required identity of the server, such as a fingerprint; absent if any server is accepted */
  proof?: string | undefined
}

/**
 * The rule for write-only secrets: each is sent only to the destination that it was entered for. A stricter
 * check of the server at the same address keeps the secret. Every other change of the destination requires
 * the secret again.
 */
export const mayKeepSecret = (from: Destination, to: Destination): boolean =>
  from.address === to.address && (from.proof === undefined || from.proof === to.proof)

/** Old and new destination as text, for messages and the audit log; undefined without a change. */
export function changeOfDestination(from: Destination, to: Destination): string | undefined {
  const parts: string[] = []
  if (from.address !== to.address)
    parts.push(`address from ${from.address || 'none'} to ${to.address || 'none'}`)
  if (from.proof !== to.proof) {
    parts.push(`certificate check from ${from.proof ?? 'none'} to ${to.proof ?? 'none'}`)
  }
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** Why a change is refused, and the remedy. Undefined if it is allowed. */
export function secretRefusal(
  from: Destination,
  to: Destination,
  secret: { name: string; isStored: boolean; isGiven: boolean },
): string | undefined {
  if (!secret.isStored || secret.isGiven || mayKeepSecret(from, to)) return undefined
  return (
    `Enter the ${secret.name} again: Pulse never sends a stored secret to a different destination. ` +
    `Changed: ${changeOfDestination(from, to)}.`
  )
}

/** The destination of a node. Fingerprints may contain colons and capitals. */
export function nodeDestination(node: {
  host: string
  fingerprint?: string | undefined
  verifySSL: boolean
}): Destination {
  const pin = node.fingerprint?.replaceAll(/[^0-9a-f]/gi, '').toUpperCase()
  const shown = pin && `the certificate ${pin.match(/..?/g)!.join(':')}`
  const proof = [shown, node.verifySSL && (pin ? 'verified' : 'a verified certificate')]
    .filter(Boolean)
    .join(', ')
  return { address: node.host, proof: proof || undefined }
}
