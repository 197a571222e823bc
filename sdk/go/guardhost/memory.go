package guardhost

import (
	"encoding/binary"
	"unsafe"
)

// The canonical ABI of the component model, as far as the contract uses it: numbers are little-endian, a pointer has 4 bytes
// (Go's own have 8), text and lists are a pointer and a length. Source: CanonicalABI.md of WebAssembly/component-model.

// What the host or the answer points at. Nothing is freed: memory ends with the call, which is the only one.
var kept [][]byte

// block is zeroed memory that stays where it is, at a multiple of 8.
func block(size int) []byte {
	words := make([]uint64, (size+7)/8+1)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)
	kept = append(kept, bytes)
	return bytes
}

func address(bytes []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(bytes)))) }

//go:wasmexport cabi_realloc
func cabiRealloc(old, oldSize, _, size uint32) uint32 {
	bytes := block(int(size))
	copy(bytes, at(old, oldSize))
	return address(bytes)
}

// at is memory that the host has filled.
func at(address, size uint32) []byte {
	if size == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), uintptr(address))), size)
}

// record reads and writes the fields of something laid out in memory, by their offset.
type record []byte

func (r record) u32(offset int) uint32 { return binary.LittleEndian.Uint32(r[offset:]) }
func (r record) u64(offset int) uint64 { return binary.LittleEndian.Uint64(r[offset:]) }

func (r record) bytes(offset int) []byte { return at(r.u32(offset), r.u32(offset+4)) }
func (r record) text(offset int) string  { return string(r.bytes(offset)) }

// list reads a list whose elements have this size.
func (r record) list(offset, size int, each func(index int, element record)) {
	count := r.u32(offset + 4)
	elements := at(r.u32(offset), count*uint32(size))
	for index := range int(count) {
		each(index, elements[index*size:(index+1)*size])
	}
}

func (r record) setU32(offset int, value uint32) { binary.LittleEndian.PutUint32(r[offset:], value) }
func (r record) setU64(offset int, value uint64) { binary.LittleEndian.PutUint64(r[offset:], value) }

func (r record) setBytes(offset int, value []byte) {
	kept = append(kept, value)
	r.setU32(offset, address(value))
	r.setU32(offset+4, uint32(len(value)))
}

func (r record) setText(offset int, value string) { r.setBytes(offset, []byte(value)) }

// list is memory with a list whose elements have this size.
func list(size, count int, each func(index int, element record)) uint32 {
	elements := block(size * count)
	for index := range count {
		each(index, elements[index*size:(index+1)*size])
	}
	return address(elements)
}

// text is a string as an argument.
func text(value string) (uint32, uint32) {
	bytes := []byte(value)
	kept = append(kept, bytes)
	return address(bytes), uint32(len(bytes))
}
