/** The input of the drawing thread. A page is drawn as large as fits into `width` by `height` pixels. */
export type DrawingOrder = {
  pdf: Uint8Array
  /** The most pages to draw, from the first. */
  pages: number
  width: number
  height: number
  /** The memory that PDFium may have. */
  memoryBytes: number
  /** The path or the file URL of PDFium's module. */
  library: string
  /** Shared with the thread, which sets the one element to 1 when PDFium is loaded. */
  isLoaded: Int32Array
}

/** One page in memory: RGBA, 8 bits a channel. */
export type DrawnPage = { data: Uint8Array; width: number; height: number }
