/** Whether a version comes after another. What is no version, such as `dev`, neither is newer nor has newer ones. */
export function isNewer(offered: string, own: string): boolean {
  const [a, b] = [versionOf(offered), versionOf(own)]
  if (!a || !b) return false
  for (const at of [0, 1, 2]) {
    const difference = a.numbers[at]! - b.numbers[at]!
    if (difference !== 0) return difference > 0
  }
  return isLater(a.candidate, b.candidate)
}

function versionOf(text: string) {
  const match = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]{1,64}))?$/.exec(text.trim())
  if (!match) return undefined
  return { numbers: match.slice(1, 4).map(Number), candidate: match[4]?.split('.') }
}

/** Candidates come before what they are candidates of; their parts count one by one, numbers as numbers and before words. */
function isLater(a: string[] | undefined, b: string[] | undefined): boolean {
  if (!a || !b) return b !== undefined && a === undefined
  const at = a.findIndex((part, index) => part !== b[index])
  if (at === -1) return false
  const [x, y] = [a[at]!, b[at]]
  if (y === undefined) return true
  const [isNumberX, isNumberY] = [x, y].map((part) => /^\d+$/.test(part))
  if (isNumberX && isNumberY) return Number(x) > Number(y)
  return isNumberX === isNumberY ? x > y : isNumberY!
}
