// SPDX-License-Identifier: Apache-2.0
// callers.cpp - the libraries from C++17: RAII around a handle, lambdas as callbacks. Prints who calls what in a class file
// and writes a copy in which every method calls Probe.hit.
#include <bci.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <vector>

struct Close {
    void operator()(BciClass *c) const { bci_close(c); }
};
using Class = std::unique_ptr<BciClass, Close>;

int main(int argc, char **argv)
{
    if (argc != 3)
        return std::cerr << "usage: callers IN.class OUT.class\n", 2;
    std::ifstream in(argv[1], std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    CfError err{};
    Class c{bci_open(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size(), nullptr, &err)};
    for (int k = 0; c && k < bci_method_count(c.get()); k++) {
        BciMethod *m = bci_method(c.get(), k);
        BciCode *code = bci_code(m);
        for (BciInsn *i = code ? bci_first_insn(code) : nullptr; i; i = bci_next(i)) {
            const char *owner, *name, *desc;
            if (bci_is_invoke(i) && bci_cp_member_at(c.get(), i->index, &owner, &name, &desc))
                std::cout << bci_method_name(m) << " -> " << owner << '.' << name << desc << '\n';
        }
        bci_invoke(bci_entry(code), CF_OP_INVOKESTATIC, "Probe", "hit", "()V");
        bci_each_return(code, [](BciPos at, BciInsn *, void *) { bci_op(at, CF_OP_NOP); }, nullptr);
    }
    uint8_t *out = nullptr;
    std::size_t len = 0;
    if (!c || bci_write(c.get(), nullptr, nullptr, &out, &len, &err) != CF_OK)
        return std::cerr << err.where << ": " << err.text << '\n', 1;
    std::unique_ptr<uint8_t, decltype(&std::free)> result{out, std::free};
    std::ofstream(argv[2], std::ios::binary).write(reinterpret_cast<char *>(out), static_cast<std::streamsize>(len));
}
