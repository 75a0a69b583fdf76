/** The host of an address: `https://pbs1.example:8007` and `pbs1.example` have the same. */
export function hostOf(address: string): string {
  const url = address.includes('://') ? address : `https://${address}`
  return URL.canParse(url) ? new URL(url).hostname : address.toLowerCase()
}
