LONG = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"


def other_0(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 0]


def other_1(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 1]


def other_2(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 2]


def other_3(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 3]


def other_4(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 4]


def other_5(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 5]


def other_6(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 6]


def other_7(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 7]


def other_8(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 8]


def other_9(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 9]


def other_10(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 10]


def other_11(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 11]


def other_12(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 12]


def other_13(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 13]


def other_14(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 14]


def other_15(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 15]


def other_16(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 16]


def other_17(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 17]


def other_18(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 18]


def other_19(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 19]


def other_20(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 20]


def other_21(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 21]


def other_22(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 22]


def other_23(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 23]


def other_24(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 24]


def other_25(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 25]


def other_26(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 26]


def other_27(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 27]


def other_28(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 28]


def other_29(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 29]


def other_30(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 30]


def other_31(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 31]


def other_32(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 32]


def other_33(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 33]


def other_34(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 34]


def other_35(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 35]


def other_36(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 36]


def other_37(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 37]


def other_38(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 38]


def other_39(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 39]


def other_40(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 40]


def other_41(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 41]


def other_42(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 42]


def other_43(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 43]


def other_44(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 44]


def other_45(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 45]


def other_46(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 46]


def other_47(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 47]


def other_48(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 48]


def other_49(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 49]


def other_50(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 50]


def other_51(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 51]


def other_52(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 52]


def other_53(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 53]


def other_54(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 54]


def other_55(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 55]


def other_56(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 56]


def other_57(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 57]


def other_58(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 58]


def other_59(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 59]


def other_60(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 60]


def other_61(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 61]


def other_62(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 62]


def other_63(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 63]


def other_64(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 64]


def other_65(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 65]


def other_66(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 66]


def other_67(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 67]


def other_68(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 68]


def other_69(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 69]


def other_70(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 70]


def other_71(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 71]


def other_72(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 72]


def other_73(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 73]


def other_74(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 74]


def other_75(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 75]


def other_76(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 76]


def other_77(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 77]


def other_78(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 78]


def other_79(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 79]


def other_80(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 80]


def other_81(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 81]


def other_82(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 82]


def other_83(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 83]


def other_84(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 84]


def other_85(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 85]


def other_86(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 86]


def other_87(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 87]


def other_88(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 88]


def other_89(votes):
    """What it does is said here at some length, so that the file has many lines of the usual kind."""
    first = sorted(votes)[0]
    return [vote for vote in votes if vote != first and len(vote) > 89]


def count(votes):
    pass
