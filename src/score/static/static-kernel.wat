;; The inner loops of the static model, 16 bytes at a time, which JavaScript cannot do (WebAssembly 128-bit SIMD).
;; Compiled into static-kernel-bytes.ts by `npm run kernel`; static-kernel.ts lays out the memory and calls it.
;; All addresses are in bytes; a row of the table has $rowBytes int8 values, a multiple of 16.
(module
  (import "kernel" "memory" (memory 1))

  ;; Integer dot products of one table row with $count query rows (int16, one after the other). Writes $count
  ;; float32 to $out, each times $factor. Exact before that factor: 256 products of two int8 stay below 2^23.
  (func (export "similarities")
    (param $row i32) (param $rowBytes i32) (param $factor f32) (param $query i32) (param $count i32) (param $out i32)
    (local $at i32) (local $rowEnd i32) (local $outEnd i32) (local $bytes v128) (local $sum v128)
    (local.set $rowEnd (i32.add (local.get $row) (local.get $rowBytes)))
    (local.set $outEnd (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $nextQueryRow
        (br_if $done (i32.ge_u (local.get $out) (local.get $outEnd)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $row))
        (loop $next16
          (local.set $bytes (v128.load (local.get $at)))
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.add
                (i32x4.dot_i16x8_s
                  (i16x8.extend_low_i8x16_s (local.get $bytes))
                  (v128.load (local.get $query)))
                (i32x4.dot_i16x8_s
                  (i16x8.extend_high_i8x16_s (local.get $bytes))
                  (v128.load offset=16 (local.get $query))))))
          (local.set $query (i32.add (local.get $query) (i32.const 32)))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $next16 (i32.lt_u (local.get $at) (local.get $rowEnd))))
        (f32.store
          (local.get $out)
          (f32.mul
            (local.get $factor)
            (f32.convert_i32_s
              (i32.add
                (i32.add
                  (i32x4.extract_lane 0 (local.get $sum))
                  (i32x4.extract_lane 1 (local.get $sum)))
                (i32.add
                  (i32x4.extract_lane 2 (local.get $sum))
                  (i32x4.extract_lane 3 (local.get $sum)))))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $nextQueryRow))))

  ;; The largest value of every column over $count rows of float32, and 0 where all are negative. $rows holds the
  ;; addresses of the rows; $columnBytes is a multiple of 16. Writes one float32 a column to $out.
  (func (export "columnMaxima") (param $rows i32) (param $count i32) (param $columnBytes i32) (param $out i32)
    (local $column i32) (local $at i32) (local $rowsEnd i32) (local $best v128)
    (local.set $rowsEnd (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next4
        (br_if $done (i32.ge_u (local.get $column) (local.get $columnBytes)))
        (local.set $best (v128.const f32x4 0 0 0 0))
        (local.set $at (local.get $rows))
        (block $rowsDone
          (loop $nextRow
            (br_if $rowsDone (i32.ge_u (local.get $at) (local.get $rowsEnd)))
            (local.set $best
              (f32x4.pmax
                (local.get $best)
                (v128.load (i32.add (i32.load (local.get $at)) (local.get $column)))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br $nextRow)))
        (v128.store (i32.add (local.get $out) (local.get $column)) (local.get $best))
        (local.set $column (i32.add (local.get $column) (i32.const 16)))
        (br $next4))))

  ;; Adds up $count table rows, each times its float32 scale, and writes the sum (float32) to $out. $rows holds pairs:
  ;; the address of a row, and its scale.
  (func (export "sumRows") (param $rows i32) (param $count i32) (param $rowBytes i32) (param $out i32)
    (local $offset i32) (local $at i32) (local $rowsEnd i32) (local $half v128) (local $bytes v128) (local $scale v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $rowsEnd (i32.add (local.get $rows) (i32.shl (local.get $count) (i32.const 3))))
    (block $done
      (loop $next16
        (br_if $done (i32.ge_u (local.get $offset) (local.get $rowBytes)))
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (local.set $at (local.get $rows))
        (block $rowsDone
          (loop $nextRow
            (br_if $rowsDone (i32.ge_u (local.get $at) (local.get $rowsEnd)))
            (local.set $bytes (v128.load (i32.add (i32.load (local.get $at)) (local.get $offset))))
            (local.set $scale (v128.load32_splat offset=4 (local.get $at)))
            (local.set $half (i16x8.extend_low_i8x16_s (local.get $bytes)))
            (local.set $a
              (f32x4.add
                (local.get $a)
                (f32x4.mul
                  (local.get $scale)
                  (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
            (local.set $b
              (f32x4.add
                (local.get $b)
                (f32x4.mul
                  (local.get $scale)
                  (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
            (local.set $half (i16x8.extend_high_i8x16_s (local.get $bytes)))
            (local.set $c
              (f32x4.add
                (local.get $c)
                (f32x4.mul
                  (local.get $scale)
                  (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $half))))))
            (local.set $d
              (f32x4.add
                (local.get $d)
                (f32x4.mul
                  (local.get $scale)
                  (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $half))))))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br $nextRow)))
        (v128.store (local.get $out) (local.get $a))
        (v128.store offset=16 (local.get $out) (local.get $b))
        (v128.store offset=32 (local.get $out) (local.get $c))
        (v128.store offset=48 (local.get $out) (local.get $d))
        (local.set $out (i32.add (local.get $out) (i32.const 64)))
        (local.set $offset (i32.add (local.get $offset) (i32.const 16)))
        (br $next16)))))
