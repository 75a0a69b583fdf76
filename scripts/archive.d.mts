/** Packs the folder `name` of `parent` into `file`; `date`, in epoch seconds, is that of all files in it. */
export function pack(
  parent: string,
  name: string,
  file: string,
  date: number,
  /** of compression, 1 to 9; 6 when absent */
  level?: number,
): Promise<{ bytes: number; sha256: string }>
