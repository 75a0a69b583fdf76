/** Packs the folder `name` in `parent` into `file`. All files get the date `date`, in epoch seconds. */
export function pack(
  parent: string,
  name: string,
  file: string,
  date: number,
  /** compression level, 1 to 9; default: 6 */
  level?: number,
): Promise<{ bytes: number; sha256: string }>
